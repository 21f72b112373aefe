! What the tests of the Fortran module share: expectations, and an exit code.
module fortran_checks
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  integer :: failures = 0

contains

  subroutine expect(is_so, what)
    logical, intent(in) :: is_so
    character(*), intent(in) :: what
    if (is_so) return
    failures = failures + 1
    write (error_unit, '(2a)') 'failed: ', what
  end subroutine

  subroutine finish
    if (failures /= 0) stop 1
    print '(a)', 'all passed'
  end subroutine
end module
