! From a mask of land and water blocks and their ranks: each cell of water has one block with an owner, and a file keeps the map.
program masks_test
  use, intrinsic :: iso_c_binding
  use hx
  use hx_masks
  use tank
  implicit none
  include 'mpif.h'

  integer, parameter :: nx = 24, ny = 16
  type(hx_partition) :: request
  type(hx_map) :: map, again
  type(tank_halo) :: halo
  type(tank_shape), allocatable :: shapes(:)
  type(hx_part) :: part
  integer(c_int8_t) :: wet(ny, nx)
  integer :: held(ny, nx), all(ny, nx)
  integer(c_int) :: ierr, b, blocks
  integer :: code, rank, ranks, stamp
  character(64) :: path

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  wet = 0
  wet(:, 1:10) = 1
  wet(1:5, :) = 3
  request = tank_partition(nx, ny, 4)
  request%ranks(1:3) = [0, 0, 1]
  call hx_choose_mask(int(ranks, c_int), request, wet, map)
  if (map%wet /= sum(int(wet)) .or. map%ranks /= ranks) print *, 'FAIL sums', map%wet, map%ranks
  if (map%land /= count(map%owner == -1) .or. size(map%owner) /= product(map%partition%ranks(1:3))) print *, 'FAIL land'

  call system_clock(stamp)
  call MPI_Bcast(stamp, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
  write (path, '(a,i0)') 'map-', stamp
  if (rank == 0) call hx_map_write(map, path)
  call MPI_Barrier(MPI_COMM_WORLD, code)
  call hx_map_read(path, again)
  if (any(again%owner /= map%owner) .or. any(again%partition%ranks /= map%partition%ranks)) print *, 'FAIL the file differs'
  call MPI_Barrier(MPI_COMM_WORLD, code)
  if (rank == 0) then
    open (newunit=stamp, file=path)
    close (stamp, status='delete')
  end if

  held = 0
  blocks = 0
  allocate (shapes(count(again%owner == rank)))
  do b = 1, size(again%owner, kind=c_int)
    if (again%owner(b) /= rank) cycle
    call hx_part_of(again%partition, 1, b, part)
    blocks = blocks + 1
    shapes(blocks) = tank_shape_dense(part)
    associate (x => part%first(1), y => part%first(2))
      held(y + 1:y + part%n(2), x + 1:x + part%n(1)) = held(y + 1:y + part%n(2), x + 1:x + part%n(1)) + 1
    end associate
  end do
  call tank_create_blocks(MPI_COMM_WORLD, [again%partition], shapes, halo, again%owner)
  call tank_destroy(halo)
  call MPI_Allreduce(held, all, size(held), MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
  if (any(all > 1) .or. any(wet > 0 .and. all /= 1)) print *, 'FAIL water without an owner'

  call hx_choose_mask(int(ranks, c_int), request, wet(:, 2:), map, ierr)
  if (ierr /= hx_err_argument .or. index(hx_last_error(), 'the extents of wet') == 0) print *, 'FAIL ', hx_last_error()
  wet = 0
  call hx_choose_mask(int(ranks, c_int), request, wet, map, ierr)
  if (ierr == hx_ok .or. index(hx_last_error(), 'land') == 0) print *, 'FAIL ', hx_last_error()
  if (rank == 0) print *, 'masks'
  call MPI_Finalize(code)
end program
