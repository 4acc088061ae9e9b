! Gives every cell a number of its own, exchanges, and looks at the whole halo.
program main
  use, intrinsic :: iso_c_binding, only: c_double
  use mpi_f08
  use hx
  use heat
  implicit none
  integer, parameter :: nx = 12, ny = 10
  type(hx_part) :: mine
  type(heat_halo) :: halo
  type(heat_fields) :: f
  integer :: i, j, wrong, all_wrong, rank

  call MPI_Init()
  call hx_decompose(MPI_COMM_WORLD, heat_partition(nx, ny), mine)
  call heat_create(MPI_COMM_WORLD, heat_shape_dense(mine), halo)
  call heat_alloc(halo, f)
  do j = 1, mine%n(2)
    do i = 1, mine%n(1)
      f%t(i, j) = number_at(i, j)
    end do
  end do
  call heat_temperature(halo, f%t)

  wrong = 0
  do j = lbound(f%t, 2), ubound(f%t, 2)
    do i = lbound(f%t, 1), ubound(f%t, 1)
      if (nint(f%t(i, j)) /= nint(number_at(i, j))) wrong = wrong + 1
    end do
  end do
  call MPI_Allreduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 0) print '(i0, a, i0, a)', 1 - lbound(f%t, 1), ' layers, ', all_wrong, ' points wrong'
  call heat_destroy(halo)
  call MPI_Finalize()
  if (all_wrong > 0) error stop

contains

  ! What belongs at (i, j), counted in the block, inside it or not.
  real(c_double) function number_at(i, j)
    integer, intent(in) :: i, j

    number_at = modulo(mine%first(1) + i - 1, nx) + nx * modulo(mine%first(2) + j - 1, ny)
  end function

end program
