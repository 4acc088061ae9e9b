! Without ierr a failure ends the program: with an exit code, and the sentence on standard error.
program stopped
  use, intrinsic :: iso_c_binding
  use hx
  use channel
  implicit none
  include 'mpif.h'

  type(channel_halo) :: halo
  real(c_double) :: u(2, 2, 2) = 0, v(2, 2, 2) = 0, w(2, 2, 2) = 0
  integer :: code

  call MPI_Init(code)
  call channel_velocity(halo, u, v, w)
  print *, 'FAIL it goes on'
end program
