! What co-arrays take for the transfers of paper 3's Figure 9, two images: image 2 references n numbers of image 1, of a co-array ("user") and of an
! allocatable component of one, which is at another place on each image ("attach", the pointer method), synchronised before and after. One line a transfer:
! form, bytes, seconds, the least of the batches.
program coarray
  use iso_fortran_env, only: int64, real64
  implicit none
  type holder
    real(real64), allocatable :: v(:)
  end type
  integer, parameter :: lengths(*) = [1, 10, 100, 1000, 10000, 100000], batches = 3
  real(real64), allocatable :: a(:)[:], b(:)
  type(holder), allocatable :: h[:]
  integer :: k, form
  if (num_images() /= 2) error stop "two images"
  allocate (a(maxval(lengths))[*], b(maxval(lengths)))
  allocate (h[*])
  allocate (h%v(maxval(lengths)))
  a = this_image()
  h%v = this_image()
  do form = 1, 2
    do k = 1, size(lengths)
      call measure(form, lengths(k))
    end do
  end do
contains
  subroutine measure(form, n)
    integer, intent(in) :: form, n
    integer :: batch, i, repeats
    integer(int64) :: start, finish, rate
    real(real64) :: least
    repeats = max(2, min(200, 200000 / n))
    least = huge(least)
    do batch = 1, batches
      sync all
      call system_clock(start, rate)
      do i = 1, repeats
        sync all
        if (this_image() == 2) then
          if (form == 1) then
            b(:n) = a(:n)[1]
          else
            b(:n) = h[1]%v(:n)
          end if
        end if
      end do
      sync all
      call system_clock(finish)
      least = min(least, real(finish - start, real64) / real(rate, real64) / repeats)
    end do
    if (this_image() == 2) then
      if (any(b(:n) /= 1)) error stop "wrong numbers"
      write (*, '(a, 1x, i0, 1x, es12.5)') merge("user  ", "attach", form == 1), 8 * n, least
    end if
  end subroutine
end program
