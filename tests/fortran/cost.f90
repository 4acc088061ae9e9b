! What a call of Fortran costs beside one of C: arrays are checked and handed on, and cost.c has a start and a finish that do nothing.
! Prints the median and the least of some tries, in ns a call.  The README's exchange of three fields.
program cost
  use, intrinsic :: iso_c_binding
  use hx
  use channel
  implicit none
  include 'mpif.h'

  ! Of cost.c.
  interface
    subroutine call_from_c(rounds) bind(c)
      import
      integer(c_int), value :: rounds
    end subroutine
    function seconds() result(now) bind(c)
      import
      real(c_double) :: now
    end function
  end interface

  integer, parameter :: n = 4, tries = 301, rounds = 2000
  type(hx_partition) :: grid
  type(hx_part) :: mine
  type(channel_halo) :: halo
  real(c_double), allocatable :: u(:,:,:), v(:,:,:), w(:,:,:)
  real(c_double) :: of_c(tries), of_fortran(tries), start
  integer :: code, i, try

  call MPI_Init(code)
  grid = channel_partition(n, n, n)
  grid%ranks(1:3) = 1
  call hx_decompose(MPI_COMM_SELF, grid, mine)
  call channel_create(MPI_COMM_SELF, channel_shape_dense(mine), halo)
  allocate (u(n + 4, n + 4, n + 4), v(n + 4, n + 4, n + 4), w(n + 4, n + 4, n + 4), source=0.0_c_double)
  do try = 1, tries
    start = seconds()
    call call_from_c(rounds)
    of_c(try) = (seconds() - start) / rounds * 1e9_c_double
    start = seconds()
    do i = 1, rounds
      call channel_velocity(halo, u, v, w)
    end do
    of_fortran(try) = (seconds() - start) / rounds * 1e9_c_double
  end do
  print '(a, f6.1, a, f6.1)', 'C        median ', median(of_c), '   least ', minval(of_c)
  print '(a, f6.1, a, f6.1)', 'Fortran  median ', median(of_fortran), '   least ', minval(of_fortran)
  call channel_destroy(halo)
  call MPI_Finalize(code)

contains

  real(c_double) function median(values)
    real(c_double), intent(in) :: values(:)
    integer :: k

    median = 0
    do k = 1, size(values)
      if (count(values < values(k)) <= size(values) / 2 .and. count(values > values(k)) <= size(values) / 2) median = values(k)
    end do
  end function

end program
