! Arrays that a node shares, and broadcasts: every kind, bounds, arrays with gaps, none at all, and what is refused.
program tables_test
  use, intrinsic :: iso_c_binding
  use hx
  use hx_tables
  implicit none
  include 'mpif.h'

  type :: pair
    integer(c_int) :: cell
    real(c_double) :: weight
  end type

  type(hx_shared_arrays) :: tables
  integer :: rank, ranks, root, code
  integer(c_int) :: ierr

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  root = ranks - 1
  call hx_shared_arrays_create(MPI_COMM_WORLD, tables)
  call read_only()
  call kinds()
  call writable()
  call any_type()
  call refuse()
  call hx_shared_arrays_release(tables)
  call read_only()
  call hx_shared_arrays_destroy(tables)
  call hx_shared_arrays_destroy(tables)
  call broadcasts()
  call MPI_Finalize(code)

contains

  pure real(c_double) function depth_at(i, j)
    integer, intent(in) :: i, j

    depth_at = 100 * i + j
  end function

  ! One array for the node: the ranks see the same bytes, with the bounds that they ask for.
  subroutine read_only()
    real(c_double), allocatable :: depth(:,:)
    real(c_double), pointer :: shared(:,:), part(:,:)
    integer :: i, j

    if (rank == root) then
      allocate (depth(-1:6, 3))
      do j = 1, 3
        depth(:, j) = [(depth_at(i, j), i=-1, 6)]
      end do
    else
      allocate (depth(0, 0))
    end if
    call hx_shared_array(tables, root, depth, shared, lower=[-1, 1])
    if (any(lbound(shared) /= [-1, 1]) .or. any(ubound(shared) /= [6, 3])) print *, 'FAIL bounds', lbound(shared), ubound(shared)
    do j = 1, 3
      if (any([(abs(shared(i, j) - depth_at(i, j)) > 0, i=-1, 6)])) print *, 'FAIL', shared(:, j)
    end do

    ! A section with gaps, and bounds from 1.
    if (rank == root) then
      call hx_shared_array(tables, root, depth(0:6:3, 1:3:2), part)
    else
      call hx_shared_array(tables, root, shared=part)
    end if
    if (any(shape(part) /= [3, 2]) .or. any(lbound(part) /= 1)) print *, 'FAIL shape of a section', shape(part)
    do j = 1, 2
      if (any([(abs(part(i, j) - depth_at(3 * i - 3, 2 * j - 1)) > 0, i=1, 3)])) print *, 'FAIL a section', part(:, j)
    end do

    ! What nobody has.
    deallocate (depth)
    call hx_shared_array(tables, root, shared=part)
    if (associated(part)) print *, 'FAIL an array that is not there'
  end subroutine

  subroutine kinds()
    real(c_float), pointer :: a
    integer(c_int8_t), pointer :: b(:)
    integer(c_int16_t), pointer :: c(:,:,:)
    integer(c_int), pointer :: d(:)
    integer(c_int64_t), pointer :: e(:)
    logical(c_bool), pointer :: f(:)
    complex(c_float_complex), pointer :: g(:)
    complex(c_double_complex), pointer :: h(:)

    call hx_shared_array(tables, 0, 1.5_c_float, a)
    call hx_shared_array(tables, 0, [1_c_int8_t, -2_c_int8_t], b)
    call hx_shared_array(tables, 0, reshape([1_c_int16_t, 2_c_int16_t], [1, 2, 1]), c)
    call hx_shared_array(tables, 0, [1_c_int, 2_c_int, 3_c_int], d)
    call hx_shared_array(tables, 0, [2_c_int64_t**40], e)
    call hx_shared_array(tables, 0, [.true._c_bool, .false._c_bool], f)
    call hx_shared_array(tables, 0, [(1.0_c_float, 2.0_c_float)], g)
    call hx_shared_array(tables, 0, [(1.0_c_double, -2.0_c_double)], h)
    if (nint(2 * a) /= 3) print *, 'FAIL a number', a
    if (any(b /= [1, -2]) .or. any(shape(c) /= [1, 2, 1]) .or. any(c(1, :, 1) /= [1, 2])) print *, 'FAIL short kinds', b, c
    if (any(d /= [1, 2, 3]) .or. any(e /= 2_c_int64_t**40) .or. .not. f(1) .or. f(2)) print *, 'FAIL kinds of integers'
    if (nint(aimag(g(1))) /= 2 .or. nint(aimag(h(1))) /= -2) print *, 'FAIL complex'
  end subroutine

  ! Each rank writes an element, and all read them.
  subroutine writable()
    integer(c_int), allocatable :: none_yet(:)
    integer(c_int), pointer :: all(:)
    integer :: r

    allocate (none_yet(ranks), source=-1_c_int)
    call hx_shared_array(tables, 0, none_yet, all, lower=[0], access=hx_writable)
    all(rank) = rank
    call hx_shared_arrays_sync(tables)
    if (any(all /= [(r, r=0, ranks - 1)])) print *, 'FAIL written', all
    call hx_shared_arrays_sync(tables)
  end subroutine

  subroutine any_type()
    type(pair) :: given(2)
    type(pair), pointer :: shared(:)
    type(c_ptr) :: memory

    given = [pair(3, 0.5_c_double), pair(7, 0.25_c_double)]
    call hx_shared_array(tables, 0, given, memory)
    call c_f_pointer(memory, shared, [2])
    if (any(shared%cell /= [3, 7]) .or. nint(4 * shared(2)%weight) /= 1) print *, 'FAIL a derived type', shared%cell
  end subroutine

  subroutine refuse()
    real(c_double), pointer :: shared(:)
    real(c_double), target :: given(1, 1, 1, 1, 1, 1, 1, 1, 1)

    given = 0
    call hx_shared_arrays_create(MPI_COMM_WORLD, tables, ierr=ierr)
    call expect(hx_err_state, 'hx_shared_arrays_create: group is in use; destroy it first')
    call hx_shared_array(tables, 0, given(:, :, 1, 1, 1, 1, 1, 1, 1), shared, ierr=ierr)
    call expect(hx_err_argument, 'hx_shared_array: the array of the root has rank 2, the one given here has 1')
    call hx_shared_array(tables, 0, given(:, 1, 1, 1, 1, 1, 1, 1, 1), shared, lower=[1, 1], ierr=ierr)
    call expect(hx_err_argument, 'hx_shared_array: lower has 2 elements, the pointer has rank 1')
    call hx_shared_array(tables, 0, given, shared, ierr=ierr)
    call expect(hx_err_argument, 'has 9 axes; it may have 0 to 8')
    call hx_shared_array(tables, ranks, given(:, 1, 1, 1, 1, 1, 1, 1, 1), shared, ierr=ierr)
    call expect(hx_err_argument, 'The root given to hx_shared_array is')
  end subroutine

  ! Others get the bounds of the root, whatever they had.
  subroutine broadcasts()
    real(c_double), allocatable :: depth(:,:)
    integer(c_int), allocatable :: levels(:)
    integer :: i

    if (rank == root) then
      allocate (depth(0:2, -1:1))
      depth(:, -1) = [1, 2, 3]
      depth(:, 0) = [4, 5, 6]
      depth(:, 1) = [7, 8, 9]
    else if (rank == 1) then
      allocate (depth(20, 20))
    end if
    call hx_broadcast(MPI_COMM_WORLD, root, depth)
    if (any(lbound(depth) /= [0, -1]) .or. any(ubound(depth) /= [2, 1])) print *, 'FAIL bounds', lbound(depth), ubound(depth)
    if (any(nint(reshape(depth, [9])) /= [(i, i=1, 9)])) print *, 'FAIL broadcast', depth
    if (rank == 0) allocate (levels(0))
    call hx_broadcast(MPI_COMM_WORLD, 0, levels)
    if (.not. allocated(levels)) then
      print *, 'FAIL a broadcast of no elements'
    else if (size(levels) /= 0) then
      print *, 'FAIL a broadcast of no elements has', size(levels)
    end if
    deallocate (levels)
    call hx_broadcast(MPI_COMM_WORLD, 0, levels, ierr)
    call expect(hx_err_argument, 'hx_broadcast')
  end subroutine

  subroutine expect(status, words)
    integer(c_int), intent(in) :: status
    character(*), intent(in) :: words

    if (ierr == status .and. index(hx_last_error(), words) > 0) return
    print *, 'FAIL', ierr, ': "', hx_last_error(), '", not "', words, '"'
  end subroutine

end program
