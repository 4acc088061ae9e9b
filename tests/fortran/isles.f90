! Lists of points that count from 1: cells in a ring, with a ghost cell at each end, from ids and from lists of the program.
program isles_test
  use, intrinsic :: iso_c_binding
  use hx
  use isles
  implicit none
  include 'mpif.h'

  integer, parameter :: own = 5, all = own + 2
  type(isles_halo) :: halo
  type(isles_shape) :: shape
  type(hx_index_list) :: list
  type(hx_peer), allocatable :: peer(:)
  integer(c_int64_t) :: id(all)
  logical(c_bool) :: owns(all)
  integer(c_int) :: ierr
  integer :: code, rank, ranks, i

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  shape = isles_shape_dense(isles_part(int(all, c_int)))

  ! The ghost cells come first and last.
  id = [(modulo(rank * own + i - 2, ranks * own), i = 1, all)]
  owns = [(logical(i > 1 .and. i < all, c_bool), i = 1, all)]
  call hx_index_list_of_ids(MPI_COMM_WORLD, id, owns, list)
  call exchange('of ids')
  call hx_index_list_of_ids(MPI_COMM_WORLD, id, owns(2:), list, ierr)
  if (ierr == hx_ok .or. index(hx_last_error(), 'id has 7 elements, owns has 6') == 0) print *, 'FAIL ', hx_last_error()
  ! Where one rank is wrong, all are told.
  call hx_index_list_of_ids(MPI_COMM_WORLD, id, owns(merge(2, 1, rank == 0):), list, ierr)
  if (ierr /= hx_err_argument) print *, 'FAIL status', ierr, hx_last_error()

  call list_of_my_own()
  call exchange('of peers')
  call redistributes()
  call MPI_Finalize(code)

contains

  ! The neighbors before and behind this rank may be one, or this rank itself.
  subroutine list_of_my_own()
    integer :: before, behind

    before = modulo(rank - 1, ranks)
    behind = modulo(rank + 1, ranks)
    if (before == behind) then
      ! What is received behind the ring's own cells comes from the other one's first cell.
      allocate (peer(1))
      peer(1)%rank = before
      peer(1)%send = [integer(c_int) :: all - 1, 2]
      peer(1)%receive = [integer(c_int) :: 1, all]
    else
      allocate (peer(2))
      peer(1)%rank = before
      peer(1)%send = [2_c_int]
      peer(1)%receive = [1_c_int]
      peer(2)%rank = behind
      peer(2)%send = [int(all - 1, c_int)]
      peer(2)%receive = [int(all, c_int)]
    end if
    call hx_index_list_of_peers(peer, list)
  end subroutine

  ! Own cells go backwards to the other end of the ring: the last rank gets those of the first.
  subroutine redistributes()
    type(isles_halo) :: other
    type(isles_fields) :: f, g
    type(hx_ids) :: before, after

    before%id = id
    before%owns = owns
    after%id = [(ranks * own - 1 - id(i), i = 1, all)]
    after%owns = owns
    call hx_index_list_of_ids(MPI_COMM_WORLD, before%id, before%owns, list)
    call isles_create(MPI_COMM_WORLD, shape, list, halo)
    call hx_index_list_free(list)
    call hx_index_list_of_ids(MPI_COMM_WORLD, after%id, after%owns, list)
    call isles_create(MPI_COMM_WORLD, shape, list, other)
    call hx_index_list_free(list)
    call isles_alloc(halo, f)
    call isles_alloc(other, g)
    f%ice = real(id, c_double)
    g%ice = -1
    g%t = -1
    nullify (f%t)
    nullify (g%t)
    call isles_redistribute(halo, f, before, other, g, after)
    if (any(nint(g%ice(2:all - 1)) /= after%id(2:all - 1))) print *, 'FAIL moved by ids', g%ice
    if (g%ice(1) /= -1 .or. g%ice(all) /= -1) print *, 'FAIL ghost points moved', g%ice
    after%owns = owns(2:)
    call isles_redistribute(halo, f, before, other, g, after, ierr)
    if (ierr /= hx_err_argument .or. index(hx_last_error(), 'id of the target has 7 elements, owns has 6') == 0) then
      print *, 'FAIL ', hx_last_error()
    end if
    after%owns = owns
    after%id = id + 1000
    call isles_redistribute(halo, f, before, other, g, after, ierr)
    if (ierr == hx_ok) print *, 'FAIL ids that nobody owns were moved'
    call isles_destroy(halo)
    call isles_destroy(other)
  end subroutine

  subroutine exchange(whose)
    character(*), intent(in) :: whose
    real(c_double) :: ice(all)
    real(c_float) :: t(8, all)
    integer :: c

    call isles_create(MPI_COMM_WORLD, shape, list, halo)
    call hx_index_list_free(list)
    ice = -1
    t = -1
    do i = 2, all - 1
      ice(i) = real(id(i), c_double)
      t(:, i) = [(real(10 * id(i) + c, c_float), c = 1, 8)]
    end do
    call isles_state_start(halo, ice, t)
    call isles_state_finish(halo, ice, t)
    do i = 1, all
      if (nint(ice(i)) /= id(i)) print *, 'FAIL ice ', whose, i, ice(i), id(i)
      if (any(nint(t(:, i)) /= [(10 * id(i) + c, c = 1, 8)])) print *, 'FAIL t ', whose, i, t(:, i)
    end do
    call isles_destroy(halo)
  end subroutine

end program
