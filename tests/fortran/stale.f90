! What a compiler knows of an array before finish is not what it holds after: owned points, which an exchange that adds changes.
program stale
  use, intrinsic :: iso_c_binding
  use hx
  use tank
  implicit none
  include 'mpif.h'

  type(hx_partition) :: grid
  type(hx_part) :: mine
  type(tank_halo) :: halo
  integer :: code

  call MPI_Init(code)
  grid = tank_partition(4, 4, 4)
  grid%ranks(1:3) = 1
  call hx_decompose(MPI_COMM_SELF, grid, mine)
  call tank_create(MPI_COMM_SELF, tank_shape_dense(mine), halo)
  call read_twice()
  call read_twice_in_one_call()
  call tank_destroy(halo)
  call MPI_Finalize(code)

contains

  ! A corner of a grid that is periodic along two axes: 4 copies of 1, walls apart.
  subroutine read_twice()
    real(c_double) :: rho(0:5, 0:5, 0:5), before, between, after

    rho = 1
    rho(:, 0, :) = 0
    rho(:, 5, :) = 0
    before = rho(1, 2, 1)
    call tank_sums_start(halo, rho)
    between = rho(2, 2, 2) + rho(1, 2, 1)
    call tank_sums_finish(halo, rho)
    after = rho(1, 2, 1)
    if (nint(before) /= 1 .or. nint(after) /= 4) print *, 'FAIL a value is kept', before, between, after
  end subroutine

  subroutine read_twice_in_one_call()
    real(c_double) :: rho(0:5, 0:5, 0:5), sum_before

    rho = 1
    sum_before = rho(1, 2, 1) + rho(2, 2, 2)
    call tank_sums(halo, rho)
    if (nint(sum_before) /= 2 .or. nint(rho(1, 2, 1)) /= 4) print *, 'FAIL a value is kept', rho(1, 2, 1)
  end subroutine

end program
