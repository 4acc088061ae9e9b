! What listings about the module channel stand in.
subroutine listed(comm, mine, lx, ly)
  use, intrinsic :: iso_c_binding
  use mpi_f08, only: MPI_Comm
  use hx
  use channel
  implicit none
  type(MPI_Comm), intent(in) :: comm
  type(hx_part), intent(in) :: mine
  integer, intent(in) :: lx, ly
  type(channel_shape) :: shape
  type(channel_halo) :: halo
  real(c_double), allocatable, dimension(:, :, :) :: u, v, w

  allocate (u(lx, ly, 1), v(lx, ly, 1), w(lx, ly, 1))
  shape = channel_shape_dense(mine)
  call channel_create(comm, shape, halo)
  call first()
  call inner(u, v, w)
  call outer(u, v, w)

contains

  subroutine first()
LISTING
  end subroutine first

  subroutine inner(u, v, w)
    real(c_double), intent(inout), dimension(:, :, :) :: u, v, w

    u = v + w
  end subroutine inner

  subroutine outer(u, v, w)
    real(c_double), intent(inout), dimension(:, :, :) :: u, v, w

    u = v - w
  end subroutine outer

end subroutine listed
