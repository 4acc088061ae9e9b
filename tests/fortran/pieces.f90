! Several blocks a rank, dealt round: arrays of alloc, and arrays of the program; work while messages travel.
program pieces
  use, intrinsic :: iso_c_binding
  use hx
  use tank
  use oracle
  implicit none
  include 'mpif.h'

  type :: tile
    real(c_double), allocatable :: u(:,:,:), v(:,:,:), w(:,:,:), k(:,:,:), p(:,:,:)
  end type

  integer, parameter :: blocks = 6
  type(hx_partition) :: grid
  type(tank_halo) :: halo
  type(tank_shape), allocatable :: shape(:)
  type(hx_part), allocatable :: part(:)
  type(tank_fields), allocatable :: f(:)
  type(tile), allocatable, target :: mine(:)
  integer(c_int) :: owners(blocks), ierr
  integer :: code, rank, ranks, b, at
  character(:), allocatable :: sentence

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  grid = tank_partition(cells(1), cells(2), cells(3))
  owners = [(modulo(b, ranks), b = 1, blocks)]
  at = count(owners == rank)
  allocate (shape(at), part(at), f(at), mine(at))
  call divide([3, 1, 2])
  do b = 1, size(shape)
    shape(b) = tank_shape_best(part(b))
  end do
  call tank_create_blocks(MPI_COMM_WORLD, [grid], shape, halo, owners)
  call tank_alloc_blocks(halo, f)
  call exchange('alloc')
  call cover()
  call tank_free_blocks(halo, f)
  if (size(f) > 0) then
    if (associated(f(1)%u)) print *, 'FAIL an array that is freed'
  end if
  call tank_destroy(halo)

  call divide([1, 2, 3])
  do b = 1, size(shape)
    shape(b) = tank_shape_dense(part(b))
  end do
  call tank_create_blocks(MPI_COMM_WORLD, [grid], shape, halo, owners)
  call point_to_own_arrays()
  call exchange('own')
  call cover()
  call overlap()
  call refuse()
  call tank_destroy(halo)
  call MPI_Finalize(code)

contains

  ! The blocks of this rank.  Three along x are too thin to have an interior.
  subroutine divide(parts)
    integer, intent(in) :: parts(3)

    grid%ranks(1:3) = parts
    at = 0
    do b = 1, blocks
      if (owners(b) /= rank) cycle
      at = at + 1
      call hx_part_of(grid, 1, b, part(at))
    end do
  end subroutine

  subroutine point_to_own_arrays()
    integer :: n(3)

    do b = 1, size(mine)
      n = part(b)%n(1:3)
      allocate (mine(b)%p(0:n(1) + 1, 0:n(2) + 1, 0:n(3) + 1), mine(b)%k(-1:n(1) + 2, 1:n(3), 0:n(2) + 1))
      f(b)%p => mine(b)%p
      f(b)%k => mine(b)%k
    end do
  end subroutine

  subroutine exchange(whose)
    character(*), intent(in) :: whose
    type(layout) :: of_k, of_p
    type(block_of) :: block

    of_p = layout(number=1)
    of_k = layout(axis=[1, 3, 2], lo=[2, 1, 0], hi=[2, 1, 0], number=2)
    do b = 1, size(f)
      block = block_of(part(b)%first(1:3), part(b)%n(1:3))
      f(b)%p = holds(of_p, block, owned)
      f(b)%k = holds(of_k, block, owned)
    end do
    call tank_faces_blocks_start(halo, f)
    call tank_faces_blocks_finish(halo, f)
    call tank_faces_blocks(halo, f)
    do b = 1, size(f)
      block = block_of(part(b)%first(1:3), part(b)%n(1:3))
      call report('p of ' // whose, f(b)%p, holds(of_p, block, star))
      call report('k of ' // whose, f(b)%k, holds(of_k, block, star))
    end do
  end subroutine

  ! Each owned point of each field is in one box, of interior or rim; the interior is as far from the sides as any field is wide.
  subroutine cover()
    integer, parameter :: fields = tank_field_p        ! the last one
    integer :: field, n(3)

    do b = 1, size(f)
      do field = 1, fields
        n = part(b)%n(1:3)
        if (field == tank_field_v) n(2) = n(2) + 1     ! it has points on both faces of a cell
        call cover_field(field, n)
      end do
    end do
  end subroutine

  subroutine cover_field(field, n)
    integer, intent(in) :: field, n(3)
    type(hx_box), allocatable :: box(:)
    integer :: times(-1:n(1) + 2, -1:n(2) + 2, -1:n(3) + 2), lo(3), hi(3)

    times = 0
    lo = [3, 2, 2]                                     ! k is two layers wide along x
    hi = n - lo + 1
    call tank_faces_interior(halo, b, field, box)
    call count_points(box, times)
    if (any(times(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3)) /= 1) .or. sum(times) /= product(max(hi - lo + 1, 0)) .or. &
        (size(box) > 0 .neqv. all(lo <= hi))) print *, 'FAIL interior of field', field, 'of block', b
    call tank_faces_rim(halo, b, field, box)
    call count_points(box, times)
    if (any(times(1:n(1), 1:n(2), 1:n(3)) /= 1) .or. sum(times) /= product(n)) &
        print *, 'FAIL interior and rim of field', field, 'of block', b
  end subroutine

  subroutine count_points(box, times)
    type(hx_box), intent(in) :: box(:)
    integer, intent(inout) :: times(-1:,-1:,-1:)
    integer :: i

    do i = 1, size(box)
      associate (lo => box(i)%lo, hi => box(i)%hi)
        times(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3)) = times(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3)) + 1
      end associate
    end do
  end subroutine

  ! Work on the interior before finish, and on the rim behind it, gives the bits of work on all behind an exchange.
  subroutine overlap()
    type(tile) :: apart(size(f)), whole(size(f))
    type(hx_box), allocatable :: box(:)
    type(hx_box) :: all_points

    call begin()
    call tank_faces_blocks(halo, f)
    do b = 1, size(f)
      all_points = hx_box([1, 1, 1, 1], [part(b)%n(1:3), 1])
      allocate (whole(b)%p, mold=f(b)%p)
      whole(b)%p = untouched
      call smooth(f(b)%p, [all_points], whole(b)%p)
    end do
    call begin()
    call tank_faces_blocks_start(halo, f)
    do b = 1, size(f)
      allocate (apart(b)%p, mold=f(b)%p)
      apart(b)%p = untouched
      call tank_faces_interior(halo, b, tank_field_p, box)
      call smooth(f(b)%p, box, apart(b)%p)
    end do
    call tank_faces_blocks_finish(halo, f)
    do b = 1, size(f)
      call tank_faces_rim(halo, b, tank_field_p, box)
      call smooth(f(b)%p, box, apart(b)%p)
      call report('p, smoothed in two parts,', apart(b)%p, whole(b)%p)
    end do
  end subroutine

  ! Ghost points hold -1, as work would find them that came too early.
  subroutine begin()
    type(block_of) :: block

    do b = 1, size(f)
      block = block_of(part(b)%first(1:3), part(b)%n(1:3))
      f(b)%p = holds(layout(number=1), block, owned)
      f(b)%k = holds(layout(axis=[1, 3, 2], lo=[2, 1, 0], hi=[2, 1, 0], number=2), block, owned)
    end do
  end subroutine

  subroutine smooth(from, box, to)
    type(hx_box), intent(in) :: box(:)
    real(c_double), intent(in) :: from(0:,0:,0:)
    real(c_double), intent(inout) :: to(0:,0:,0:)
    integer :: number, i, j, k

    do number = 1, size(box)
      do k = box(number)%lo(3), box(number)%hi(3)
        do j = box(number)%lo(2), box(number)%hi(2)
          do i = box(number)%lo(1), box(number)%hi(1)
            to(i, j, k) = from(i, j, k) / 3 + from(i - 1, j, k) / 7 + from(i + 1, j, k) / 11 + &
                from(i, j - 1, k) / 13 + from(i, j + 1, k) / 17 + from(i, j, k - 1) / 19 + from(i, j, k + 1) / 23
          end do
        end do
      end do
    end do
  end subroutine

  subroutine expect(words)
    character(*), intent(in) :: words

    sentence = hx_last_error()
    if (ierr == hx_ok .or. index(sentence, words) == 0) print *, 'FAIL it says "', sentence, '", not "', words, '"'
  end subroutine

  ! Bad input is refused before anything travels.
  subroutine refuse()
    real(c_double), pointer :: right(:,:,:)
    type(hx_box), allocatable :: box(:)
    type(tank_halo) :: unused

    call tank_faces_interior(unused, 1, tank_field_p, box, ierr)
    call expect('tank_faces_interior: halo was not created, or was destroyed')
    call tank_faces_rim(halo, blocks + 1, tank_field_p, box, ierr)
    call expect(', and block is 7')
    if (size(box) > 0) print *, 'FAIL boxes of no block'
    if (size(f) > 0) call tank_faces_rim(halo, 1, tank_field_p + 1, box, ierr)
    if (size(f) > 0) call expect('tank_faces_rim: fields are counted from 1 to 11, and field is 12')
    call tank_faces_blocks(halo, [f, f], ierr)
    call expect('tank_faces_blocks: f has')
    if (size(f) < 2) return
    call tank_faces(halo, f(1)%k, f(1)%p, ierr)
    call expect('call tank_faces_blocks')
    right => f(2)%p
    f(2)%p => right(:, :, :)
    call tank_faces_blocks(halo, f, ierr)
    call expect('tank_faces_blocks: f(2)%p starts at 1, 1, 1, halo points start at 0, 0, 0; write f(2)%p(0:,0:,0:) => ...')
    call expect(' (tank.lua:15)')
    f(2)%p => null()
    call tank_faces_blocks_start(halo, f, ierr)
    call expect('tank_faces_blocks_start: f(2)%p is not allocated or associated; allocate it with bounds 0:')
    f(2)%p => right(:, :, 1:)
    call tank_faces_blocks_start(halo, f, ierr)
    call expect('tank_faces_blocks_start: p has')
    call expect(' in block 2, it needs')
    f(2)%p => right
    if (ranks > 1) return
    call tank_faces_blocks_start(halo, f)
    f(2)%p => f(1)%p
    call tank_faces_blocks_finish(halo, f, ierr)
    call expect('tank_faces_blocks_finish: f(2)%p is not the array that start was given; pass the same one, and no copy')
    call expect(' that the compiler makes of it (tank.lua:15)')
    f(2)%p => right
    call tank_faces_blocks_finish(halo, f)
  end subroutine

end program
