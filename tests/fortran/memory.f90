! A rank without memory: create_blocks fails on all ranks, and none waits for it.
program memory_test
  use, intrinsic :: iso_c_binding
  use hx
  use channel
  implicit none
  include 'mpif.h'

  interface
    ! Of memory.c: the n-th call of calloc from now on fails; 0: none.
    subroutine fail_calloc(n) bind(c)
      import
      integer(c_int), value :: n
    end subroutine

    ! Whether hx_field_query fails; how many handles of C there are.
    subroutine fail_field_query(fails) bind(c)
      import
      integer(c_int), value :: fails
    end subroutine

    function handles() bind(c)
      import
      integer(c_int) :: handles
    end function
  end interface

  type(hx_partition) :: grid
  type(hx_part) :: part
  type(channel_shape) :: shape
  type(channel_halo) :: halo
  type(hx_options) :: options
  integer(c_int), allocatable :: owners(:)
  integer(c_int) :: ierr, n, expected
  integer :: rank, ranks, r, code

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  grid = channel_partition(4 * ranks, 4, 4)
  grid%ranks(1:3) = [ranks, 1, 1]
  owners = [(r, r=0, ranks - 1)]
  options%deadline = 5
  call hx_part_of(grid, 1, rank + 1, part)
  shape = channel_shape_dense(part)

  ! Of the partitions, of the shapes, of the owners.
  do n = 1, 3
    if (rank == 0) call fail_calloc(n)
    call channel_create_blocks(MPI_COMM_WORLD, [grid], [shape], halo, owners, options, ierr)
    call fail_calloc(0)
    expected = hx_err_memory
    if (rank > 0 .and. ierr /= hx_ok .and. ierr /= hx_err_deadline) expected = ierr   ! libhx's own word for it
    if (ierr /= expected) print *, 'FAIL call', n, 'on rank', rank, 'ends with', ierr, ': ', hx_last_error()
  end do

  ! A handle of which nothing can be told is not kept.
  call fail_field_query(1)
  call channel_create_blocks(MPI_COMM_WORLD, [grid], [shape], halo, owners, options, ierr)
  call fail_field_query(0)
  if (ierr /= hx_err_internal) print *, 'FAIL without facts of fields create ends with', ierr, ': ', hx_last_error()
  if (hx_last_error() /= 'no facts') print *, 'FAIL the sentence is ', hx_last_error()
  if (handles() /= 0) print *, 'FAIL handles that are left:', handles()

  call channel_create_blocks(MPI_COMM_WORLD, [grid], [shape], halo, owners, options)
  if (handles() /= 1) print *, 'FAIL handles that were created:', handles()
  call channel_destroy(halo)
  call MPI_Finalize(code)
end program
