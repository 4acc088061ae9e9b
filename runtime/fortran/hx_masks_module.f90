! Oceans: from a mask of land and water, blocks and the ranks that own them.  See hx/mask.h, whose rules hold here.
!
!     type(hx_map) :: map
!     request = ocean_partition(4320, 3600, 75)
!     request%ranks(3) = 1                             ! the third axis is not cut: the mask says nothing of it
!     call hx_choose_mask(1000_c_int, request, wet, map)
!     if (rank == 0) call hx_map_write(map, 'ocean.map')
!     call ocean_create_blocks(comm, [map%partition], shapes, halo, map%owner)
!
! Every procedure has an optional last argument ierr, as those of the module hx.
module hx_masks
  use, intrinsic :: iso_c_binding
  use hx
  implicit none
  private

  ! Blocks of one tile, and who owns them.
  type, public :: hx_map
    type(hx_partition) :: partition
    integer(c_int) :: ranks = 0
    integer(c_int) :: land = 0                        ! how many blocks have no owner
    integer(c_int64_t) :: wet = 0                     ! the numbers of the mask, summed
    integer(c_int64_t) :: most = 0                    ! the largest sum that a rank has
    integer(c_int), allocatable :: owner(:)           ! of each block, from 0, or -1; for NAME_create_blocks
  end type

  public :: hx_choose_mask, hx_map_write, hx_map_read

  ! hx_map and hx_mask of C.
  type, bind(c) :: map_in_c
    type(hx_partition) :: partition
    integer(c_int) :: ranks, blocks, land
    integer(c_int64_t) :: wet, most
    type(c_ptr) :: owner
  end type

  type, bind(c) :: mask_in_c
    type(c_ptr) :: wet
    type(c_funptr) :: wet_at
    type(c_ptr) :: context
  end type

  interface
    function c_choose(ranks, request, mask, map) result(status) bind(c, name="hx_choose_mask")
      import
      integer(c_int), value :: ranks
      type(hx_partition), intent(in) :: request
      type(mask_in_c), intent(in) :: mask
      type(c_ptr), intent(out) :: map
      integer(c_int) :: status
    end function

    function c_write(map, path) result(status) bind(c, name="hx_map_write")
      import
      type(map_in_c), intent(in) :: map
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int) :: status
    end function

    function c_read(path, map) result(status) bind(c, name="hx_map_read")
      import
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(out) :: map
      integer(c_int) :: status
    end function

    subroutine c_free(map) bind(c, name="hx_map_free")
      import
      type(c_ptr), value :: map
    end subroutine

    function c_refuse(status, sentence) result(refused) bind(c, name="hx_refuse")
      import
      integer(c_int), value :: status
      character(kind=c_char), intent(in) :: sentence(*)
      integer(c_int) :: refused
    end function
  end interface

contains

  ! Local: with equal arguments all ranks get the same map.  wet: a number for each cell of the axes that are cut, whose ranks is
  ! not 1 in the request; the last axis has the first index.  0 is land, others to 127 say how much work is there.
  subroutine hx_choose_mask(ranks, request, wet, map, ierr)
    integer(c_int), intent(in) :: ranks
    type(hx_partition), intent(in) :: request
    integer(c_int8_t), intent(in), contiguous, target :: wet(:, :)
    type(hx_map), intent(out) :: map
    integer(c_int), intent(out), optional :: ierr
    type(c_ptr) :: made
    integer(c_int) :: status

    if (fits(request, shape(wet))) then
      status = c_choose(ranks, request, mask_in_c(c_loc(wet), c_null_funptr, c_null_ptr), made)
      if (status == hx_ok) call take(made, map)
    else
      status = c_refuse(hx_err_argument, 'hx_choose_mask: the extents of wet are not the cells of the two axes that are ' // &
          'cut, the last one first' // c_null_char)
    end if
    call hx_f_answer(status, ierr)
  end subroutine

  ! A file of text that other runs read.  A file that is there is replaced.
  subroutine hx_map_write(map, path, ierr)
    type(hx_map), intent(in), target :: map
    character(*), intent(in) :: path
    integer(c_int), intent(out), optional :: ierr
    type(map_in_c) :: made

    made = map_in_c(map%partition, map%ranks, 0, map%land, map%wet, map%most, c_null_ptr)
    if (allocated(map%owner)) then
      made%blocks = size(map%owner, kind=c_int)
      made%owner = c_loc(map%owner)
    end if
    call hx_f_answer(c_write(made, trim(path) // c_null_char), ierr)
  end subroutine

  subroutine hx_map_read(path, map, ierr)
    character(*), intent(in) :: path
    type(hx_map), intent(out) :: map
    integer(c_int), intent(out), optional :: ierr
    type(c_ptr) :: made
    integer(c_int) :: status

    status = c_read(trim(path) // c_null_char, made)
    if (status == hx_ok) call take(made, map)
    call hx_f_answer(status, ierr)
  end subroutine

  logical function fits(request, extents)
    type(hx_partition), intent(in) :: request
    integer, intent(in) :: extents(2)
    integer :: a, cut

    cut = count(request%ranks(1:request%axes) /= 1)
    fits = cut == 2
    do a = 1, request%axes
      if (request%ranks(a) == 1) cycle
      if (fits) fits = extents(cut) == request%cells(a)
      cut = cut - 1
    end do
  end function

  subroutine take(made, map)
    type(c_ptr), intent(in) :: made
    type(hx_map), intent(inout) :: map
    type(map_in_c), pointer :: found
    integer(c_int), pointer :: owner(:)

    call c_f_pointer(made, found)
    call c_f_pointer(found%owner, owner, [found%blocks])
    map%partition = found%partition
    map%ranks = found%ranks
    map%land = found%land
    map%wet = found%wet
    map%most = found%most
    map%owner = owner
    call c_free(made)
  end subroutine

end module
