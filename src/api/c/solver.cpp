#include "api/c/solver.hpp"

#include "overlapack/environment.hpp"
#include "overlapack/option_text.hpp"

namespace overlapack::c {
namespace {

/// The message of this thread's last call that failed without a solver.
thread_local std::string lost_message;

static_assert(static_cast<int>(Status::ok) == OLP_OK &&
              static_cast<int>(Status::inaccurate) == OLP_INACCURATE &&
              static_cast<int>(Status::singular) == OLP_SINGULAR &&
              static_cast<int>(Status::not_converged) == OLP_NOT_CONVERGED &&
              static_cast<int>(Status::out_of_memory) == OLP_OUT_OF_MEMORY &&
              static_cast<int>(Status::bad_input) == OLP_BAD_INPUT &&
              static_cast<int>(Status::bad_plan) == OLP_BAD_PLAN &&
              static_cast<int>(Status::comm_failure) == OLP_COMM_FAILURE &&
              static_cast<int>(Status::cancelled) == OLP_CANCELLED &&
              static_cast<int>(Status::internal) == OLP_INTERNAL &&
              static_cast<int>(Status::ill_conditioned) == OLP_ILL_CONDITIONED);

}  // namespace

void refuse(Status status, const std::string& message) { throw Error(status, message); }

void refuse_empty(const olp_solver& solver) {
  std::string message = "there are no factors";
  if (!solver.why_empty.empty()) message.append(" (").append(solver.why_empty).append(")");
  refuse(Status::bad_input, message + "; call olp_factorize first");
}

void empty(olp_solver& solver) {
  if (solver.calls > 1)
    refuse(
        Status::bad_plan,
        "a progress function may not give its solver another matrix; return a number other than 0 to end the "
        "call, or make a second solver");
  solver.held = {};
  solver.planned = {};
}

olp_status set_status(olp_solver* solver, Status status, std::string_view message) noexcept {
  std::string& kept = solver != nullptr ? solver->message : lost_message;
  try {
    kept = message;
  } catch (const std::bad_alloc&) {
    kept.clear();
  }
  return static_cast<olp_status>(status);
}

int read_type_together(olp_solver& solver, const olp_matrix* A, std::string_view name) {
  return read_arguments_together(
      solver, [&] { return dispatch(require_pointer(A, name)->type, [&]<class T>() { return A->type; }); });
}

}  // namespace overlapack::c

using namespace overlapack;

const char* olp_version(void) { return version(); }

const char* olp_status_name(olp_status status) {
  if (status < OLP_OK || status > OLP_ILL_CONDITIONED) return nullptr;
  return to_string(static_cast<Status>(status)).data();  // a literal, so that it ends in a zero
}

int olp_has_solution(olp_status status) {
  switch (status) {
    case OLP_OK:
    case OLP_ILL_CONDITIONED:
    case OLP_INACCURATE:
    case OLP_NOT_CONVERGED:
      return 1;
    default:
      return 0;
  }
}

olp_status olp_create(olp_solver** solver) {
  if (solver == nullptr)
    return c::set_status(nullptr, Status::bad_input,
                         "the place for the solver is a null pointer; give an address");
  *solver = nullptr;
  try {
    *solver = new olp_solver;
  } catch (const std::bad_alloc&) {
    return c::set_status(nullptr, Status::out_of_memory, "there is no memory for a solver");
  }
  return OLP_OK;
}

void olp_destroy(olp_solver* solver) { delete solver; }

const char* olp_message(const olp_solver* solver) {
  return solver != nullptr ? solver->message.c_str() : c::lost_message.c_str();
}

olp_status olp_refuse(olp_solver* solver, const char* message, int before) {
  const auto refuse = [&]() -> olp_status {
    c::refuse(Status::bad_input, c::require_pointer(message, "the message"));
  };
  return c::call(solver, [&](olp_solver& s) -> olp_status {
    if (before == OLP_BEFORE_FACTORS) {
      c::empty(s);  // as the call itself begins
      return c::read_arguments_together(s, refuse);
    }
    if (before != OLP_BEFORE_ANSWERS || std::holds_alternative<std::monostate>(s.held)) return refuse();
    return c::visit_factors(s, [&](auto& held) { return c::read_arguments_together(*held.factors, refuse); });
  });
}

olp_status olp_set(olp_solver* solver, const char* name, const char* value) {
  return c::call(solver, [&](olp_solver& s) {
    set_option(s.options, c::require_pointer(name, "the option's name"),
               c::require_pointer(value, "the option's value"));
    return OLP_OK;
  });
}

olp_status olp_set_order(olp_solver* solver, int64_t n, const int64_t* order) {
  return c::call(solver, [&](olp_solver& s) {
    if (n < 0)
      c::refuse(Status::bad_input, "the order has " + std::to_string(n) + " numbers; give 0 or more");
    if (n > 0) c::require_pointer(order, "the order");
    s.options.sparse.user_order.assign(order, order + n);
    return OLP_OK;
  });
}

olp_status olp_set_signs(olp_solver* solver, int64_t n, const int* signs) {
  return c::call(solver, [&](olp_solver& s) {
    if (n < 0) c::refuse(Status::bad_input, "there are " + std::to_string(n) + " signs; give 0 or more");
    if (n > 0) c::require_pointer(signs, "the signs");
    std::vector<std::int8_t> taken;
    for (int64_t k = 0; k < n; ++k) {
      if (signs[k] != 1 && signs[k] != -1)
        c::refuse(Status::bad_input, "sign " + std::to_string(k) + " (from 0) is " +
                                         std::to_string(signs[k]) + "; give +1 or -1 for each unknown");
      taken.push_back(static_cast<std::int8_t>(signs[k]));
    }
    s.options.sparse.signs = std::move(taken);
    return OLP_OK;
  });
}

olp_status olp_set_progress(olp_solver* solver, olp_progress progress, void* data) {
  return c::call(solver, [&](olp_solver& s) {
    *s.progress = {progress, data};
    return OLP_OK;
  });
}

olp_status olp_set_communicator(olp_solver* solver, const void* address_of_mpi_comm) {
  return c::call(solver, [&](olp_solver& s) {
    s.options.run.mpi_communicator = address_of_mpi_comm;
    s.options.run.fortran_communicator = {};
    return OLP_OK;
  });
}

olp_status olp_set_fortran_communicator(olp_solver* solver, int communicator) {
  return c::call(solver, [&](olp_solver& s) {
    s.options.run.mpi_communicator = nullptr;
    s.options.run.fortran_communicator = communicator;
    return OLP_OK;
  });
}
