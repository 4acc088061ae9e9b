! Exchanges a level in which every cell has its number along x, and looks at the ghost points.
program level
  use, intrinsic :: iso_c_binding, only: c_double
  use mpi_f08
  use hx
  use basin
  implicit none
  integer, parameter :: nx = 12, ny = 8
  type(hx_part) :: mine
  type(basin_halo) :: halo
  type(basin_fields) :: f
  integer :: i, wrong

  call MPI_Init()
  call hx_decompose(MPI_COMM_WORLD, basin_partition(nx, ny), mine)
  call basin_create(MPI_COMM_WORLD, basin_shape_dense(mine), halo)
  call basin_alloc(halo, f)
  do i = 1, mine%n(1)
    f%h(i, 1:mine%n(2)) = real(mine%first(1) + i, c_double)
  end do
  call basin_level(halo, f%h)
  wrong = 0
  do i = -1, mine%n(1) + 2
    wrong = wrong + count(nint(f%h(i, 1:mine%n(2))) /= modulo(mine%first(1) + i - 1, nx) + 1)
  end do
  call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (all(mine%first(1:2) == 0)) print '(i0, a)', wrong, ' points wrong'
  call basin_destroy(halo)
  call MPI_Finalize()
end program
