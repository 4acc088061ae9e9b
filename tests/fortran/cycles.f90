! Cycles: one exchange serves several, and the bits are those of one array that has the whole grid, and of the program in C:
! tests/exchange/cycles.c has the same loops, and the same digest.
program cycles
  use, intrinsic :: iso_c_binding
  use hx
  use march
  implicit none
  include 'mpif.h'

  integer, parameter :: nx = 14, ny = 23, turns = 31, most = 5, wide = selected_int_kind(38)
  integer(c_int64_t), parameter :: beyond_walls = 77, digest_of_c = int(z'4C1CE91244CAA050', c_int64_t)
  integer, parameter :: layouts(2, 4) = reshape([1, 1, 2, 1, 1, 3, 3, 4], [2, 4])
  type(march_halo) :: halo, unused
  type(march_shape), allocatable :: shape(:)
  type(march_fields), allocatable :: f(:)
  integer(c_int64_t) :: h(nx, ny), q(nx, ny)       ! of the whole grid; the face behind the last column is the first
  integer :: code, rank, ranks, layout, every

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  do layout = 1, 4
    if (product(layouts(:, layout)) < ranks .and. layout > 1) cycle
    do every = 0, most + 1
      call make_blocks(layouts(:, layout), every)
      call run(every)
      call march_destroy(halo)
    end do
  end do
  call refuse()
  call MPI_Finalize(code)

contains

  ! As C has it: the lower half of a product.
  function mix(a, b) result(mixed)
    integer(c_int64_t), intent(in) :: a, b
    integer(c_int64_t) :: mixed, halves(2)
    integer(wide) :: times

    times = int(ieor(a, b), wide) * int(int(z'9E3779B97F4A7C15', c_int64_t), wide)
    halves = transfer(times, halves)
    mixed = ieor(halves(1), shiftr(halves(1), 29))
  end function

  ! ---- the whole grid ----

  function whole(a, x, y) result(point)
    integer(c_int64_t), intent(in) :: a(nx, ny)
    integer, intent(in) :: x, y
    integer(c_int64_t) :: point

    point = beyond_walls
    if (y >= 1 .and. y <= ny) point = a(modulo(x - 1, nx) + 1, y)
  end function

  subroutine begin_whole()
    integer :: x, y

    do y = 1, ny
      do x = 1, nx
        h(x, y) = mix(int((x - 1) * 1000 + y - 1, c_int64_t), 1_c_int64_t)
        q(x, y) = mix(int((x - 1) * 1000 + y - 1, c_int64_t), 2_c_int64_t)
      end do
    end do
  end subroutine

  subroutine march_whole()
    integer(c_int64_t) :: next(nx, ny)
    integer :: x, y, dx, dy

    do y = 1, ny
      do x = 1, nx
        next(x, y) = q(x, y)
        do dx = -1, 0
          do dy = -1, 1
            next(x, y) = mix(next(x, y), whole(h, x + dx, y + dy))
          end do
        end do
      end do
    end do
    q = next
    do y = 1, ny
      do x = 1, nx
        next(x, y) = mix(h(x, y), whole(q, x + 1, y))
        do dy = -2, 0
          next(x, y) = mix(next(x, y), whole(q, x, y + dy))
        end do
      end do
    end do
    h = next
  end subroutine

  function digest() result(so_far)
    integer(c_int64_t) :: so_far
    integer :: x, y

    so_far = 0
    do x = 1, nx
      do y = 1, ny
        so_far = mix(mix(so_far, h(x, y)), q(x, y))
      end do
    end do
  end function

  ! ---- by blocks ----

  subroutine make_blocks(parts, every)
    integer, intent(in) :: parts(2), every
    type(hx_partition) :: grid
    type(hx_part) :: part
    type(hx_options) :: options
    integer(c_int) :: owners(product(parts)), b
    integer :: here

    grid = march_partition(nx, ny)
    grid%ranks(1:2) = parts
    owners = [(modulo(b, ranks), b = 0, size(owners) - 1)]
    if (allocated(f)) deallocate (f, shape)
    allocate (f(count(owners == rank)), shape(count(owners == rank)))
    here = 0
    do b = 1, size(owners)
      if (owners(b) /= rank) cycle
      here = here + 1
      call hx_part_of(grid, 1, b, part)
      shape(here) = march_shape_dense(part)
    end do
    options%cycles = every
    call march_create_blocks(MPI_COMM_WORLD, [grid], shape, halo, owners, options)
    call march_alloc_blocks(halo, f)
  end subroutine

  subroutine begin_blocks()
    integer :: b, x, y, at(2)

    do b = 1, size(f)
      at = shape(b)%part%first(1:2)
      do y = 1, shape(b)%part%n(2)
        do x = 1, shape(b)%part%n(1) + 1
          f(b)%q(x, y) = whole(q, at(1) + x, at(2) + y)
          if (x <= shape(b)%part%n(1)) f(b)%h(x, y) = whole(h, at(1) + x, at(2) + y)
        end do
      end do
    end do
  end subroutine

  ! A point of a block; beyond walls there is nothing.
  function of_block(a, b, x, y) result(point)
    integer(c_int64_t), pointer, intent(in) :: a(:, :)
    integer, intent(in) :: b, x, y
    integer(c_int64_t) :: point
    integer :: there

    point = beyond_walls
    there = shape(b)%part%first(2) + y
    if (there >= 1 .and. there <= ny) point = a(x, y)
  end function

  subroutine slope(b)
    integer, intent(in) :: b
    type(hx_box) :: points
    integer :: x, y, dx, dy

    call march_advance_slope_points(halo, b, march_field_q, points)
    do x = points%lo(1), points%hi(1)
      do y = points%lo(2), points%hi(2)
        do dx = -1, 0
          do dy = -1, 1
            f(b)%q(x, y) = mix(f(b)%q(x, y), of_block(f(b)%h, b, x + dx, y + dy))
          end do
        end do
      end do
    end do
  end subroutine

  subroutine height(b)
    integer, intent(in) :: b
    type(hx_box) :: points
    integer :: x, y, dy

    call march_advance_height_points(halo, b, march_field_h, points)
    do x = points%lo(1), points%hi(1)
      do y = points%lo(2), points%hi(2)
        f(b)%h(x, y) = mix(f(b)%h(x, y), of_block(f(b)%q, b, x + 1, y))
        do dy = -2, 0
          f(b)%h(x, y) = mix(f(b)%h(x, y), of_block(f(b)%q, b, x, y + dy))
        end do
      end do
    end do
  end subroutine

  integer function wrong_points() result(wrong)
    integer :: b, x, y, at(2)

    wrong = 0
    do b = 1, size(f)
      at = shape(b)%part%first(1:2)
      do y = 1, shape(b)%part%n(2)
        do x = 1, shape(b)%part%n(1) + 1
          if (f(b)%q(x, y) /= whole(q, at(1) + x, at(2) + y)) wrong = wrong + 1
          if (x > shape(b)%part%n(1)) cycle
          if (f(b)%h(x, y) /= whole(h, at(1) + x, at(2) + y)) wrong = wrong + 1
        end do
      end do
    end do
  end function

  ! One block: its arrays as arguments.  Any number: the structs.
  subroutine advance(turn)
    integer, intent(in) :: turn

    if (size(f) == 1 .and. modulo(turn, 2) == 0) then
      call march_advance(halo, f(1)%h, f(1)%q)
    else if (size(f) == 1) then
      call march_advance_start(halo, f(1)%h, f(1)%q)
      call march_advance_finish(halo, f(1)%h, f(1)%q)
    else if (modulo(turn, 2) == 0) then
      call march_advance_blocks(halo, f)
    else
      call march_advance_blocks_start(halo, f)
      call march_advance_blocks_finish(halo, f)
    end if
  end subroutine

  subroutine run(every)
    integer, intent(in) :: every
    type(hx_traffic) :: traffic
    integer :: turn, b, served

    call begin_whole()
    call begin_blocks()
    do turn = 1, turns
      call advance(turn)
      do b = 1, size(f)
        call slope(b)
        call height(b)
      end do
      call march_whole()
      if (wrong_points() > 0) print *, 'FAIL', wrong_points(), 'points are wrong in cycle', turn, ', of', every, 'an exchange'
    end do
    if (digest() /= digest_of_c) print '(a, z16.16)', 'FAIL the program in C has other bits, not ', digest()
    served = min(every, most)
    call march_traffic(halo, march_exchange_state, traffic)
    if (served == 0) return
    if (traffic%exchanges /= (turns + served - 1) / served) print *, 'FAIL', traffic%exchanges, 'exchanges, of', served, 'each'
  end subroutine

  ! ---- what is refused ----

  subroutine expect(ierr, status, words)
    integer(c_int), intent(in) :: ierr, status
    character(*), intent(in) :: words

    if (ierr == status .and. index(hx_last_error(), words) > 0) return
    print *, 'FAIL status', ierr, ': "', hx_last_error(), '", not "', words, '"'
  end subroutine

  subroutine refuse()
    type(hx_box) :: points
    integer(c_int64_t), allocatable :: other(:, :)
    integer(c_int) :: ierr

    call march_advance_slope_points(unused, 1, march_field_q, points, ierr)
    call expect(ierr, hx_err_state, 'march_advance_slope_points: halo was not created, or was destroyed')
    call march_advance_restart(unused, ierr)
    call expect(ierr, hx_err_state, 'march_advance_restart: halo was not created, or was destroyed')
    call march_advance_blocks(unused, f, ierr)
    call expect(ierr, hx_err_state, 'march_advance_blocks: halo was not created, or was destroyed')
    call make_blocks([ranks, 1], 3)
    call march_advance_slope_points(halo, 1, march_field_q, points, ierr)
    call expect(ierr, hx_err_state, 'march_advance_slope_points: no cycle goes on on rank')
    if (any(points%lo(1:2) <= points%hi(1:2))) print *, 'FAIL points of no cycle'
    call march_advance(halo, f(1)%h, f(1)%q)
    call march_advance_slope_points(halo, 2, march_field_q, points, ierr)
    call expect(ierr, hx_err_argument, 'march_advance_slope_points: the handle has 1 block on rank')
    call expect(ierr, hx_err_argument, ', and block is 2')
    call march_advance_height_points(halo, 1, 3, points, ierr)
    call expect(ierr, hx_err_argument, 'march_advance_height_points: fields are counted from 1 to 2, and field is 3')
    call march_advance_blocks(halo, [f, f], ierr)
    call expect(ierr, hx_err_argument, 'march_advance_blocks: f has 2 elements, the handle has 1 block')
    call march_advance_start(halo, f(1)%h, f(1)%q)
    allocate (other, source=f(1)%h)
    call march_advance_finish(halo, other, f(1)%q, ierr)
    call expect(ierr, hx_err_argument, 'march_advance_finish: h is not the array that start was given')
    call march_advance_finish(halo, f(1)%h, f(1)%q)
    call march_advance_restart(halo)
    call march_advance_start(halo, f(1)%h, f(1)%q)
    call march_advance_start(halo, f(1)%h, f(1)%q, ierr)
    call expect(ierr, hx_err_state, 'cycle "advance" was started twice')
    call march_advance_finish(halo, f(1)%h, f(1)%q)
    call march_destroy(halo)
  end subroutine

end program
