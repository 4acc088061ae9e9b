/*
 * Classes for C++ with a field in the memory of a device, under mpirun: the fake device, whose streams run as late as they may.
 */
#include "gpu.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <vector>

namespace
{

constexpr int NX = 12, NY = 8; /* cells */
constexpr int OLD = -1;

int failures = 0, rank = 0;

#define EXPECT(condition)                                                                                    \
    ((condition) ? (void)0                                                                                   \
                 : (void)(++failures, std::printf("rank %d, line %d: %s\n", rank, __LINE__, #condition)))

void done(cudaError_t code)
{
    if (code != cudaSuccess) {
        throw std::runtime_error("a call of the device failed");
    }
}

/* Of a point of the whole grid, which is periodic. */
int value_at(int x, int y)
{
    return (x + NX) % NX * 100 + (y + NY) % NY;
}

/* What an array with a halo of `halo` layers holds where `filled` layers are filled; dense, x fastest. */
template <class T> std::vector<T> expected(const hx_part &part, int halo, int filled)
{
    std::vector<T> values;
    const auto beside = [](int i, int n) { return i < 0 ? -i : i >= n ? i - n + 1 : 0; };
    for (int j = -halo; j < part.n[1] + halo; ++j) {
        for (int i = -halo; i < part.n[0] + halo; ++i) {
            const bool there = beside(i, part.n[0]) <= filled && beside(j, part.n[1]) <= filled;
            values.push_back(static_cast<T>(there ? value_at(part.first[0] + i, part.first[1] + j) : OLD));
        }
    }
    return values;
}

/* A field in the memory of the device, and its stream. */
class field
{
  public:
    explicit field(const hx_part &part) : part_(part), start_(expected<double>(part, 2, 0))
    {
        done(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    field(const field &) = delete;
    field &operator=(const field &) = delete;
    ~field()
    {
        static_cast<void>(cudaStreamDestroy(stream_));
    }

    std::size_t bytes() const
    {
        return start_.size() * sizeof(double);
    }
    hx_stream stream() const
    {
        return stream_;
    }

    /* Owned points only. */
    void set(double *there) const
    {
        done(cudaMemcpyAsync(there, start_.data(), bytes(), cudaMemcpyHostToDevice, stream_));
    }
    bool is_filled(const double *there, int layers) const
    {
        std::vector<double> here(start_.size());
        done(cudaMemcpyAsync(here.data(), there, bytes(), cudaMemcpyDeviceToHost, stream_));
        done(cudaStreamSynchronize(stream_));
        return here == expected<double>(part_, 2, layers);
    }

  private:
    hx_part part_;
    std::vector<double> start_;
    cudaStream_t stream_ = nullptr;
};

void exchange(const hx_part &part, halogen::gpu::handle &halo, const gpu_fields &f)
{
    const field u(part);
    const std::vector<float> before = expected<float>(part, 1, 0), after = expected<float>(part, 1, 1);
    const auto is_set = [&] {
        u.set(f.u);
        std::copy(before.begin(), before.end(), f.p);
        return true;
    };
    const auto is_right = [&](int layers) {
        return u.is_filled(f.u, layers) && std::equal(after.begin(), after.end(), f.p);
    };

    EXPECT(is_set());
    halo.all(f, u.stream());
    EXPECT(is_right(2));

    bool worked = false;
    EXPECT(is_set());
    halo.all(f, u.stream(), [&] { worked = true; });
    EXPECT(worked && is_right(2));

    EXPECT(is_set());
    halo.all_start(f, u.stream());
    halo.all_finish(u.stream());
    EXPECT(is_right(2));

    EXPECT(is_set());
    halo.all_pack(f, u.stream());
    halo.all_send(u.stream());
    halo.all_receive();
    halo.all_unpack(f, u.stream());
    EXPECT(is_right(2));

    EXPECT(is_set());
    halo.inner(f, u.stream());
    EXPECT(u.is_filled(f.u, 1));

    /* What is under way is finished where the work between throws. */
    EXPECT(is_set());
    try {
        halo.all(f, u.stream(), [] { throw std::logic_error("work"); });
        EXPECT(!"thrown");
    } catch (const std::logic_error &) {
        EXPECT(is_right(2));
    }
}

void run()
{
    const hx_part part = hx::decompose(MPI_COMM_WORLD, gpu_partition(NX, NY));
    halogen::gpu::handle halo(MPI_COMM_WORLD, gpu_shape_dense(&part));

    /* Memory of the program. */
    std::vector<float> p(expected<float>(part, 1, 0).size());
    void *memory = nullptr;
    done(cudaMalloc(&memory, field(part).bytes()));
    gpu_fields f = {static_cast<double *>(memory), p.data()};
    exchange(part, halo, f);
    done(cudaFree(memory));

    /* Memory of libhx. */
    gpu_fields made = halo.alloc();
    exchange(part, halo, made);
    halo.free(made);
    EXPECT(!made.u && !made.p);

    /* Without a stream that is there, and with a status in place of an exception. */
    try {
        halo.all(gpu_fields{nullptr, p.data()}, nullptr);
        EXPECT(!"thrown");
    } catch (const hx::error &e) {
        EXPECT(e.status() == HX_ERR_ARGUMENT);
    }
}

} // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
        run();
    } catch (const std::exception &e) {
        std::printf("rank %d: %s\n", rank, e.what());
        ++failures;
    }
    int all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all == 0 ? 0 : 1;
}
