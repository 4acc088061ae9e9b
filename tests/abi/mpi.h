/* Stands in for MPI's header where layouts are measured: the same table holds whatever MPI there is. */
typedef struct stand_in *MPI_Comm;
