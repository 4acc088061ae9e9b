! What listings about the module channel stand in.
subroutine listed(comm, mine, rank)
  use, intrinsic :: iso_c_binding
  use mpi_f08, only: MPI_Comm
  use hx
  use channel
  implicit none
  type(MPI_Comm), intent(in) :: comm
  type(hx_part), intent(in) :: mine
  integer(c_int), intent(in) :: rank
  type(channel_shape) :: shape
  type(channel_halo) :: halo
  type(hx_part) :: part
  integer(c_int) :: b
  real(c_double), allocatable, dimension(:, :, :) :: u, v, w

  allocate (u(9, 9, 9), v(9, 9, 9), w(9, 9, 9))
  part = mine
  b = rank
  shape = channel_shape_dense(part)
  call channel_create(comm, shape, halo)
  call first()
  if (b > 0) stop
  call update(u, [1, 1, 1, 1], [1, 1, 1, 1])

contains

  subroutine first()
LISTING
  end subroutine first

  subroutine update(u, lo, hi)
    real(c_double), intent(inout) :: u(-1:, -1:, -1:)
    integer(c_int), intent(in) :: lo(:), hi(:)

    u(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3)) = 0
  end subroutine update

end subroutine listed
