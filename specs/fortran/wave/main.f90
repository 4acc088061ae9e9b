!> Sound waves in a room, as in specs/wave, with the same spec and the same results: wave_fortran [NX NY NZ [STEPS]]
program main
  use, intrinsic :: iso_c_binding, only: dp => c_double, int64 => c_int64_t
  use mpi_f08
  use wave, only: wave_partition
  use solver
  use exact
  use arguments
  use checksum
  implicit none
  type(room) :: s
  integer :: rank, nx, ny, nz, steps, step
  logical :: good

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  nx = argument(1, 'NX', 96)
  ny = argument(2, 'NY', 96)
  nz = argument(3, 'NZ', 48)
  steps = argument(4, 'STEPS', 448)

  call solver_create(s, MPI_COMM_WORLD, wave_partition(nx, ny, nz), courant=0.2_dp)
  call exact_start(s)
  if (rank == 0) then
    print '(a, 3(i0, a), i0, a, f7.5)', 'wave: ', nx, ' x ', ny, ' x ', nz, ' cells, ', steps, ' steps of time ', s%time_step
  end if
  do step = 1, steps
    call solver_step(s)
  end do
  call verify()
  call solver_destroy(s)
  call MPI_Finalize()
  if (.not. good) error stop

contains

  subroutine verify()
    real(dp) :: mine, error
    integer(int64) :: sum

    mine = exact_error(s)
    call MPI_Allreduce(mine, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
    good = error <= exact_bound(s)
    if (rank == 0) then
      print '(a, es9.3, a, f6.4, a, es9.3, 2a)', 'error      ', error, ' of the amplitudes at t = ', s%time, &
        '; at most ', exact_bound(s), ' by the order of the scheme: ', trim(merge('good     ', 'TOO LARGE', good))
    end if

    sum = 0
    call count_field(0_int64, s%p(1:s%n(1), 1:s%n(2), 1:s%n(3)), sum)
    call count_field(1_int64, s%u(1:s%n(1), 1:s%n(2), 1:s%n(3)), sum)
    call count_field(2_int64, s%v(1:s%n(1), 1:s%n(2), 1:s%n(3)), sum)
    call count_field(3_int64, s%w(1:s%n(1), 1:s%n(2), 1:s%n(3)), sum)
    call checksum_print(sum, MPI_COMM_WORLD)
  end subroutine verify

  !> Adds the owned points of field number `field` to the checksum, at the places that specs/wave/gather.c counts them.
  subroutine count_field(field, a, sum)
    integer(int64), intent(in) :: field
    real(dp), intent(in) :: a(:, :, :)
    integer(int64), intent(inout) :: sum
    integer(int64) :: first(3)
    integer :: i, j, k

    first = s%part%first(1:3)
    do k = 1, size(a, 3)
      do j = 1, size(a, 2)
        do i = 1, size(a, 1)
          call checksum_add(sum, a(i, j, k), ((field * nz + first(3) + k - 1) * ny + first(2) + j - 1) * nx + first(1) + i - 1)
        end do
      end do
    end do
  end subroutine count_field

end program main
