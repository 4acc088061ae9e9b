/* Stands in for MPI's header where layouts are measured: the same table holds whatever MPI there is. */
typedef struct stand_in *MPI_Comm;
typedef struct stand_in *MPI_Request;
typedef struct stand_in *MPI_Datatype;
typedef struct stand_in *MPI_Op;
