! Several blocks a rank, dealt round: arrays of alloc, and arrays of the program.
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
  grid%ranks(1:3) = [3, 1, 2]
  owners = [(modulo(b, ranks), b = 1, blocks)]
  at = count(owners == rank)
  allocate (shape(at), part(at), f(at), mine(at))
  at = 0
  do b = 1, blocks
    if (owners(b) /= rank) cycle
    at = at + 1
    call hx_part_of(grid, 1, b, part(at))
    shape(at) = tank_shape_best(part(at))
  end do
  call tank_create_blocks(MPI_COMM_WORLD, [grid], shape, halo, owners)
  call tank_alloc_blocks(halo, f)
  call exchange('alloc')
  call tank_free_blocks(halo, f)
  if (size(f) > 0) then
    if (associated(f(1)%u)) print *, 'FAIL an array that is freed'
  end if
  call tank_destroy(halo)

  do b = 1, size(shape)
    shape(b) = tank_shape_dense(part(b))
  end do
  call tank_create_blocks(MPI_COMM_WORLD, [grid], shape, halo, owners)
  call point_to_own_arrays()
  call exchange('own')
  call refuse()
  call tank_destroy(halo)
  call MPI_Finalize(code)

contains

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

  subroutine expect(words)
    character(*), intent(in) :: words

    sentence = hx_last_error()
    if (ierr == hx_ok .or. index(sentence, words) == 0) print *, 'FAIL it says "', sentence, '", not "', words, '"'
  end subroutine

  ! Bad input is refused before anything travels.
  subroutine refuse()
    real(c_double), pointer :: right(:,:,:)

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
