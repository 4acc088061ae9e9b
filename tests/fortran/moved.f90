! Fields to the blocks of another handle, to arrays of the whole grid on one rank and back, and to a file: what a point holds is a
! function of its place in the grid.
program moved_test
  use, intrinsic :: iso_c_binding
  use hx
  use tank
  implicit none
  include 'mpif.h'

  integer, parameter :: nx = 9, ny = 6, nz = 5
  type(tank_halo) :: halo, other, none
  type(tank_shape) :: shape
  type(tank_shape), allocatable :: shapes(:)
  type(tank_fields) :: f
  type(tank_fields), allocatable :: g(:)
  type(hx_partition) :: grid
  type(hx_part) :: part
  type(hx_options) :: options
  integer(c_int), allocatable :: owners(:)
  integer(c_int) :: ierr, root, blocks, b
  integer :: code, rank, ranks

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  root = int(ranks - 1, c_int)

  call hx_decompose(MPI_COMM_WORLD, tank_partition(nx, ny, nz), part)
  shape = tank_shape_best(part)
  options%deadline = 30   ! a rank that waits for one that has left says so
  call tank_create(MPI_COMM_WORLD, shape, halo, options)
  call tank_alloc(halo, f)

  ! Two blocks a rank, across y and z.
  grid = tank_partition(nx, ny, nz)
  grid%ranks(1:3) = [1, 2, ranks]
  owners = [(int(modulo(b, ranks), c_int), b = 0, 2 * ranks - 1)]
  allocate (shapes(2), g(2))
  blocks = 0
  do b = 1, 2 * ranks
    if (owners(b) /= rank) cycle
    blocks = blocks + 1
    call hx_part_of(grid, 1, b, part)
    shapes(blocks) = tank_shape_dense(part)
  end do
  call tank_create_blocks(MPI_COMM_WORLD, [grid], shapes, other, owners, options)
  call tank_alloc_blocks(other, g)

  call redistributes()
  call gathers()
  call selects()
  call balances()
  call widens()
  call writes()
  call refuses()
  call tank_destroy(halo)
  call tank_destroy(other)
  if (rank == 0) print *, 'moved'
  call MPI_Finalize(code)

contains

  pure real(c_double) function value_at(x, y, z, c)
    integer, intent(in) :: x, y, z, c

    value_at = x + 20 * y + 400 * z + 8000 * c
  end function

  ! Of the owned points of a block, v with both faces along y; check: tells of those that differ, else they are set.
  subroutine visit(fields, part, check, what)
    type(tank_fields), intent(in) :: fields
    type(hx_part), intent(in) :: part
    logical, intent(in) :: check
    character(*), intent(in) :: what
    integer :: i, j, k, x, y, z, wrong

    wrong = 0
    do k = 1, part%n(3)
      do j = 1, part%n(2) + 1
        do i = 1, part%n(1)
          x = part%first(1) + i
          y = part%first(2) + j
          z = part%first(3) + k
          if (check) then
            if (fields%v(i, j, k) /= value_at(x, y, z, 0)) wrong = wrong + 1
          else
            fields%v(i, j, k) = value_at(x, y, z, 0)
          end if
          if (j > part%n(2)) cycle
          if (check) then
            if (any(fields%t(:, i, j, k) /= [value_at(x, y, z, 1), value_at(x, y, z, 2)])) wrong = wrong + 1
            if (any(fields%s(i, j, k, :) /= real([x, y, z], c_float))) wrong = wrong + 1
            if (fields%level(k, i, j) /= int(value_at(x, y, z, 0), c_int)) wrong = wrong + 1
          else
            fields%t(:, i, j, k) = [value_at(x, y, z, 1), value_at(x, y, z, 2)]
            fields%s(i, j, k, :) = real([x, y, z], c_float)
            fields%level(k, i, j) = int(value_at(x, y, z, 0), c_int)
          end if
        end do
      end do
    end do
    if (wrong > 0) print *, 'FAIL ', what, ': wrong points', wrong
  end subroutine

  subroutine redistributes()
    type(tank_fields) :: some, others(2)
    integer :: block

    call visit(f, shape%part, .false., '')
    call tank_redistribute(halo, [f], other, g)
    do block = 1, 2
      call visit(g(block), shapes(block)%part, .true., 'moved')
      g(block)%level = 0
      others(block)%level => g(block)%level
    end do
    some%level => f%level
    call tank_redistribute(halo, [some], other, others)
    do block = 1, 2
      call visit(g(block), shapes(block)%part, .true., 'one field')
    end do
  end subroutine

  subroutine gathers()
    real(c_double), allocatable :: whole(:, :, :, :), faces(:, :, :)
    real(c_float), allocatable :: outermost(:, :, :, :)
    integer :: x, y, z, wrong, block

    if (rank == root) then
      allocate (whole(2, nx, ny, nz), faces(nx, ny + 1, nz), outermost(nx, ny, nz, 3))
    else
      allocate (whole(0, 0, 0, 0), faces(0, 0, 0), outermost(0, 0, 0, 0))
    end if
    call tank_gather(halo, f, tank_field_t, root, whole)
    call tank_gather(other, g, tank_field_v, root, faces)
    call tank_gather(other, g, tank_field_s, root, outermost)
    wrong = 0
    if (rank == root) then
      do x = 1, nx
        do y = 1, ny
          do z = 1, nz
            if (any(whole(:, x, y, z) /= [value_at(x, y, z, 1), value_at(x, y, z, 2)])) wrong = wrong + 1
            if (faces(x, y, z) /= value_at(x, y, z, 0)) wrong = wrong + 1
            if (any(outermost(x, y, z, :) /= real([x, y, z], c_float))) wrong = wrong + 1
          end do
        end do
        if (any(faces(x, ny + 1, :) /= [(value_at(x, ny + 1, z, 0), z = 1, nz)])) wrong = wrong + 1
      end do
    end if
    if (wrong > 0) print *, 'FAIL gather: wrong points', wrong
    do block = 1, 2
      g(block)%t = -1
    end do
    call tank_scatter(other, g, tank_field_t, root, whole)
    do block = 1, 2
      call visit(g(block), shapes(block)%part, .true., 'scattered')
    end do
  end subroutine

  ! Every second level to rank 0, and to the last one the rows beyond the first; of both one goes back.
  subroutine selects()
    real(c_double), allocatable :: some(:, :, :, :)
    integer :: x, y, z, wrong, block

    allocate (some(2, merge(nx, 0, rank == root), ny - 1, (nz + 1) / 2))
    some = 0
    call tank_gather_selected(other, g, tank_field_t, some, first=[1_c_int, 2_c_int, 1_c_int], step=[1_c_int, 1_c_int, 2_c_int])
    wrong = 0
    if (rank == root) then
      do x = 1, nx
        do y = 1, ny - 1
          do z = 1, (nz + 1) / 2
            if (any(some(:, x, y, z) /= [value_at(x, y + 1, 2 * z - 1, 1), value_at(x, y + 1, 2 * z - 1, 2)])) wrong = wrong + 1
          end do
        end do
      end do
    end if
    if (wrong > 0) print *, 'FAIL gather of some points: wrong points', wrong
    some = 0
    call tank_scatter_selected(other, g, tank_field_t, some, first=[1_c_int, 2_c_int, 1_c_int], step=[1_c_int, 1_c_int, 2_c_int])
    call tank_gather_selected(other, g, tank_field_t, some(:, :, :, 1:1), first=[1_c_int, 2_c_int, 3_c_int])
    if (any(some(:, :, :, 1) /= 0)) print *, 'FAIL scatter of some points'
    call visit(f, shape%part, .false., '')
    call tank_redistribute(halo, [f], other, g)
    do block = 1, 2
      call visit(g(block), shapes(block)%part, .true., 'moved again')
    end do
    call tank_gather_selected(halo, f, tank_field_t, some, first=[1_c_int, 2_c_int, 0_c_int], ierr=ierr)
    call expect('selection 0', hx_err_argument)
    call tank_gather_selected(halo, f, tank_field_v, some, ierr=ierr)
    if (rank == root) call expect('another type or rank', hx_err_argument)
  end subroutine

  ! Blocks of rank 0, which has most work, go to others, and the fields with them.
  subroutine balances()
    type(tank_halo) :: next
    type(tank_shape), allocatable :: some(:)
    type(tank_fields), allocatable :: h(:)
    real(c_double) :: work(2)
    integer(c_int) :: now(2 * ranks), moved
    integer :: block, count

    work = merge(3, 1, rank == 0)
    now = -5
    call tank_rebalance(other, work, now, moved)
    if (moved /= size(pack(now, now /= owners))) print *, 'FAIL moved is', moved
    if (ranks > 2 .and. size(pack(now, now == 0)) /= 1) print *, 'FAIL rank 0 keeps', now
    if (any(now < 0) .or. any(now >= ranks)) print *, 'FAIL owners', now
    if (ranks == 2) now = [1, 1, 0, 1]
    count = size(pack(now, now == rank))
    allocate (some(count), h(count))
    count = 0
    do block = 1, 2 * ranks
      if (now(block) /= rank) cycle
      count = count + 1
      call hx_part_of(grid, 1, int(block, c_int), part)
      some(count) = tank_shape_dense(part)
    end do
    call visit(f, shape%part, .false., '')
    call tank_redistribute(halo, [f], other, g)
    call tank_create_like(other, [grid], some, next, now)
    call tank_alloc_blocks(next, h)
    call tank_redistribute(other, g, next, h)
    do block = 1, count
      call visit(h(block), some(block)%part, .true., 'of other owners')
    end do
    call tank_create_like(other, [grid], some, next, now, ierr)
    call expect('halo is in use', hx_err_state)
    call tank_destroy(next)
    call tank_create_like(other, [grid], some, next, now(2:), ierr)
    call expect('owners has', hx_err_argument)
    call tank_create_like(none, [grid], some, next, now, ierr)
    call expect('tank_create_like: halo was not created', hx_err_state)
    call tank_rebalance(other, work(:1), now, moved, ierr)
    call expect('work has 1 elements for the 2 blocks', hx_err_argument)
    call tank_rebalance(other, -work, now, moved, ierr)
    call expect('the work of', hx_err_argument)
  end subroutine

  ! Rank 0 alone has all of the grid, and the last rank has it later.
  subroutine widens()
    type(tank_halo) :: first, last, from, to
    type(tank_shape) :: all(1)
    type(tank_fields), allocatable :: h(:), k(:)
    type(hx_partition) :: whole
    type(hx_box), allocatable :: box(:)
    integer :: alone

    whole = tank_partition(nx, ny, nz)
    whole%ranks(1:3) = 1
    call hx_part_of(whole, 1, 1, part)
    all = tank_shape_dense(part)
    allocate (h(merge(1, 0, rank == 0)), k(merge(1, 0, rank == ranks - 1)))
    call MPI_Comm_split(MPI_COMM_WORLD, rank, 0, alone, code)
    if (rank == 0) then
      call tank_create_blocks(alone, [whole], all, first)
      call tank_alloc_blocks(first, h)
      call visit(h(1), part, .false., '')
    end if
    if (rank == ranks - 1) then
      call tank_create_blocks(alone, [whole], all, last)
      call tank_alloc_blocks(last, k)
    end if
    call tank_create_wide(first, MPI_COMM_WORLD, from, options)
    call tank_create_wide(last, MPI_COMM_WORLD, to, options)
    if (rank == 0) then
      call tank_faces_interior(from, 1, tank_field_p, box)     ! a wide handle knows the blocks of the narrow one
      if (size(box) /= 1) print *, 'FAIL a wide handle has', size(box), 'boxes of the interior'
      if (any(box%lo(1) /= 3 .or. box%hi(1) /= nx - 2 .or. box%hi(2) /= ny - 1)) print *, 'FAIL interior of a wide handle'
    end if
    call tank_redistribute(from, h, to, k)
    if (rank == ranks - 1) call visit(k(1), part, .true., 'of another group')
    call tank_create_wide(first, MPI_COMM_WORLD, from, options, ierr)
    call expect('halo is in use', hx_err_state)
    call tank_create_wide(none, MPI_COMM_WORLD, none, options, ierr)
    call expect('no rank gave a handle', hx_err_argument)
    call tank_destroy(from)
    call tank_destroy(to)
    call tank_destroy(first)
    call tank_destroy(last)
    call MPI_Comm_free(alone, code)
  end subroutine

  ! A file that all write in one call has the array of the whole grid.
  subroutine writes()
    character(64) :: path
    real(c_double), allocatable :: whole(:, :, :), read_back(:, :, :)
    integer :: file, in_memory, in_file, pid
    integer(kind=MPI_OFFSET_KIND) :: start = 0

    call system_clock(pid)
    call MPI_Bcast(pid, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
    write (path, '(a,i0)') 'moved-', pid
    call tank_memory_type(other, g, tank_field_v, 1_c_int, in_memory)
    call tank_file_type(other, tank_field_v, 1_c_int, in_file)
    call MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, code)
    call MPI_File_set_view(file, start, MPI_DOUBLE_PRECISION, in_file, 'native', MPI_INFO_NULL, code)
    call MPI_File_write_all(file, MPI_BOTTOM, 1, in_memory, MPI_STATUS_IGNORE, code)
    call MPI_Type_free(in_memory, code)
    call MPI_Type_free(in_file, code)
    allocate (whole(nx, ny + 1, nz), read_back(nx, ny + 1, nz))
    call tank_gather(halo, f, tank_field_v, 0_c_int, whole)
    call MPI_File_set_view(file, start, MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, 'native', MPI_INFO_NULL, code)
    call MPI_File_read_all(file, read_back, size(read_back), MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, code)
    if (rank == 0) then
      if (any(whole /= read_back)) print *, 'FAIL the file differs'
    end if
    call MPI_File_close(file, code)
    if (tank_file_passes(tank_field_v) /= 2 .or. tank_file_passes(tank_field_t) /= 1) print *, 'FAIL passes'
    call tank_file_type(other, tank_field_v, 9_c_int, in_file, ierr)
    call expect('pass 8 of field v', hx_err_argument)
  end subroutine

  subroutine expect(words, status)
    character(*), intent(in) :: words
    integer(c_int), intent(in) :: status

    if (ierr /= status .or. index(hx_last_error(), words) == 0) print *, 'FAIL ', words, ': ', ierr, hx_last_error()
  end subroutine

  ! What one rank finds, all are told.
  subroutine refuses()
    type(tank_fields) :: bad, worse(2)
    real(c_double), allocatable, target :: small(:, :, :)
    real(c_double) :: whole(nx, ny, nz)

    bad = f
    if (rank == 0) then
      allocate (small(2, 2, 2))
      bad%v => small
    end if
    call tank_redistribute(halo, [bad], other, g, ierr)
    if (ierr /= hx_err_argument) print *, 'FAIL a small array', ierr, hx_last_error()
    call tank_redistribute(halo, f, other, g(1), ierr)
    call expect('f has 1 element, the handle has 2 blocks', hx_err_argument)
    call tank_redistribute(halo, f, halo, f, ierr)
    call expect('source and target are one handle', hx_err_argument)
    if (rank == 0) then
      call tank_redistribute(other, g, other, g, ierr)
      call expect('source and target are one handle', hx_err_argument)
      call tank_redistribute(none, g, other, g, ierr)
      call expect('halo was not created', hx_err_state)
    else
      call tank_redistribute(halo, [f], other, g, ierr)
      if (ierr /= hx_err_argument) print *, 'FAIL one handle on rank 0', ierr, hx_last_error()
      call tank_redistribute(halo, [f], other, g, ierr)
      if (ierr /= hx_err_argument) print *, 'FAIL no source on rank 0', ierr, hx_last_error()
    end if
    call tank_redistribute(none, f, other, g(1), ierr)
    call expect('halo was not created', hx_err_state)
    call tank_gather(halo, f, tank_field_t, root, whole, ierr)
    call expect('another type or rank', hx_err_argument)
    call tank_gather(halo, f, tank_field_v, root, whole, ierr)
    if (ierr /= hx_err_argument) print *, 'FAIL a small whole array', ierr, hx_last_error()
    ! And then the next call works, also after one whose source and target do not fit.
    worse = g
    if (rank == 0) worse(1)%v => small
    call tank_redistribute(halo, [bad], other, worse, ierr)
    if (ierr /= hx_err_argument) print *, 'FAIL small arrays', ierr, hx_last_error()
    call tank_redistribute(halo, [f], other, g, ierr)
    if (ierr /= hx_ok) print *, 'FAIL after small arrays', ierr, hx_last_error()
  end subroutine

end program
