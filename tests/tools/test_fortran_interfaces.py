"""fortran_interfaces.py makes what a small header asks for, and its check finds what is not so."""
import contextlib
import importlib.util
import io
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "fortran_interfaces.py"
spec = importlib.util.spec_from_file_location("fortran_interfaces", SCRIPT)
fortran_interfaces = importlib.util.module_from_spec(spec)
spec.loader.exec_module(fortran_interfaces)

HEADER = """
#define OLP_API
typedef int olp_status;
enum olp_layout { OLP_CSC, /* columns */ OLP_CSR };
typedef struct olp_matrix {
  int type; /* an olp_type */
  int64_t rows, cols;
  const void* value;
} olp_matrix;
/* OLP_API olp_status olp_gone(void); */
OLP_API const char* olp_version(void);
OLP_API olp_status olp_create(olp_solver** solver);
OLP_API void olp_destroy(olp_solver* solver);
OLP_API olp_status olp_mix(olp_solver* solver, const olp_matrix* A, int64_t n, const int64_t* order,
                           const char* name, double share, olp_matrix* Z, double* value);
"""
MODULE = "x = c_version()\ny = olp_create(z) ! olp_mix(\ncall olp_destroy(z)\n"


def checked(header, module, generated=None):
    """(exit code, what is said) of --check."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in ((fortran_interfaces.HEADER, header), ("fortran/overlapack.F90", module),
                           (fortran_interfaces.RESULT, generated or fortran_interfaces.generated(header))):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            return fortran_interfaces.main(root, check=True), said.getvalue()


class FortranInterfaces(unittest.TestCase):
    def test_each_kind_of_parameter(self):
        made = fortran_interfaces.generated(HEADER)
        for line in ("enumerator :: olp_csc, olp_csr", "integer(c_int) :: value_type = olp_float64", "integer(c_int64_t) :: cols = 0",
                     "type(c_ptr) :: value = c_null_ptr", "type(c_ptr) function c_version() bind(c, name='olp_version')",
                     "type(c_ptr), intent(out) :: solver", "subroutine olp_destroy(solver) bind(c, name='olp_destroy')",
                     "type(olp_matrix), intent(in), optional :: A", "integer(c_int64_t), value :: n",
                     "integer(c_int64_t), intent(in), optional :: order(*)", "character(kind=c_char), intent(in) :: name(*)",
                     "real(c_double), value :: share", "type(olp_matrix), intent(inout) :: Z", "type(c_ptr), value :: value"):
            self.assertIn(f" {line}\n", made)
        self.assertNotIn("olp_gone", made)
        self.assertLessEqual(max(map(len, made.splitlines())), 132)

    def test_what_the_module_does_not_use_is_named(self):
        code, said = checked(HEADER, MODULE)
        self.assertEqual(code, 1)
        self.assertIn("olp_mix of", said)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertEqual(checked(HEADER, MODULE + "s = olp_mix(z)\n"), (0, ""))

    def test_a_file_that_is_not_the_headers_is_named(self):
        code, said = checked(HEADER, MODULE + "s = olp_mix(z)\n", generated="! by hand\n")
        self.assertEqual(code, 1)
        self.assertIn("c_interface.inc is not what", said)

    def test_what_has_no_rule_is_refused(self):
        for line in ("OLP_API olp_status olp_odd(olp_solver* solver, float x);", "OLP_API int olp_call(int (*f)(void));"):
            with self.subTest(line), self.assertRaises(SystemExit):
                fortran_interfaces.generated(HEADER + line + "\n")

    def test_exceptions_are_functions_of_the_header(self):
        header = (SCRIPT.parents[1] / fortran_interfaces.HEADER).read_text(encoding="utf-8")
        names = {name for _, name, _ in fortran_interfaces.functions(fortran_interfaces.without_comments(header))}
        self.assertLessEqual(set(fortran_interfaces.EXCEPTIONS), names)


if __name__ == "__main__":
    unittest.main()
