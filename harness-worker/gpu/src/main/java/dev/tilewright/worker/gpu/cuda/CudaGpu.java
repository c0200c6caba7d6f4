package dev.tilewright.worker.gpu.cuda;

import dev.tilewright.launch.TensorMap;
import java.nio.ByteBuffer;
import java.util.List;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

/**
 * A GPU through JCuda and the driver library. It uses the primary context, which the CUDA runtime inside cublasLt
 * shares, one stream that does not wait for the default stream, and another beside it. Waiting is always for the first
 * stream, never for the context.
 */
public final class CudaGpu implements Gpu {

    /** Bytes that are copied at once between a Java array and the device. */
    private static final int STAGING_BYTES = 8 << 20;

    private final GpuInfo info;
    private final DriverLibrary driver;
    private final CUdevice device = new CUdevice();
    private final StreamHandle stream = new StreamHandle();
    private final ByteBuffer staging = ByteBuffer.allocateDirect(STAGING_BYTES);
    private final StreamHandle beside = new StreamHandle();
    private final KernelLauncher launcher;
    private final KernelLauncher launcherBeside;
    private final ModuleLoader modules;

    private CudaGpu(DriverLibrary driver, int ordinal) {
        DeviceQueries devices = new DeviceQueries(driver);
        devices.initialize();
        this.driver = driver;
        this.info = devices.describe(ordinal);
        driver.check("cuInit", JCudaDriver.cuInit(0));
        driver.check("cuDeviceGet", JCudaDriver.cuDeviceGet(device, ordinal));
        CUcontext context = new CUcontext();
        driver.check("cuDevicePrimaryCtxRetain", JCudaDriver.cuDevicePrimaryCtxRetain(context, device));
        driver.check("cuCtxSetCurrent", JCudaDriver.cuCtxSetCurrent(context));
        driver.check("cuStreamCreate", JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING));
        driver.check("cuStreamCreate", JCudaDriver.cuStreamCreate(beside, CUstream_flags.CU_STREAM_NON_BLOCKING));
        this.launcher = new KernelLauncher(driver, stream.address());
        this.launcherBeside = new KernelLauncher(driver, beside.address());
        this.modules = new ModuleLoader(driver);
    }

    /**
     * Takes a GPU.
     *
     * @throws CudaException if the driver refuses
     * @throws IllegalStateException if there is no driver library, or JCuda's natives cannot be loaded
     */
    public static CudaGpu open(int ordinal) {
        DriverLibrary driver = DriverLibrary.load()
                .orElseThrow(() -> new IllegalStateException(DriverLibrary.SONAME + " cannot be loaded"));
        try {
            return new CudaGpu(driver, ordinal);
        } catch (LinkageError noNatives) {
            throw new IllegalStateException("JCuda's natives cannot be loaded: " + noNatives.getMessage(), noNatives);
        }
    }

    @Override
    public GpuInfo info() {
        return info;
    }

    @Override
    public long freeBytes() {
        return memory()[0];
    }

    @Override
    public long totalBytes() {
        return memory()[1];
    }

    private long[] memory() {
        long[] free = new long[1];
        long[] total = new long[1];
        driver.check("cuMemGetInfo", JCudaDriver.cuMemGetInfo(free, total));
        return new long[] {free[0], total[0]};
    }

    @Override
    public DeviceBuffer allocate(long bytes) {
        DevicePointer pointer = new DevicePointer();
        driver.check("cuMemAlloc(" + bytes + " bytes)", JCudaDriver.cuMemAlloc(pointer, bytes));
        return new Allocation(driver, pointer, bytes);
    }

    private record Allocation(DriverLibrary driver, DevicePointer pointer, long bytes) implements DeviceBuffer {
        @Override
        public long address() {
            return pointer.address();
        }

        @Override
        public void close() {
            driver.check("cuMemFree", JCudaDriver.cuMemFree(pointer));
        }
    }

    @Override
    public HostFlag hostFlag(int words) {
        return MappedFlag.allocate(driver, words);
    }

    @Override
    public void fill(long address, int pattern, long bytes) {
        if (address % 4 != 0 || bytes % 4 != 0) {
            throw new IllegalArgumentException("a fill is of whole words, got " + bytes + " bytes at " + address);
        }
        driver.check(
                "cuMemsetD32Async",
                JCudaDriver.cuMemsetD32Async(DevicePointer.at(address), pattern, bytes / 4, stream));
    }

    @Override
    public void copy(long source, long target, long bytes) {
        driver.check(
                "cuMemcpyDtoDAsync",
                JCudaDriver.cuMemcpyDtoDAsync(DevicePointer.at(target), DevicePointer.at(source), bytes, stream));
    }

    @Override
    public void read(long address, byte[] target) {
        synchronize();
        for (int at = 0; at < target.length; at += STAGING_BYTES) {
            int length = Math.min(STAGING_BYTES, target.length - at);
            driver.check(
                    "cuMemcpyDtoHAsync",
                    JCudaDriver.cuMemcpyDtoHAsync(Pointer.to(staging), DevicePointer.at(address + at), length, stream));
            synchronize();
            staging.get(0, target, at, length);
        }
    }

    @Override
    public HostBuffer hostBuffer(long bytes) {
        return new PinnedBuffer(driver, bytes);
    }

    @Override
    public void fetch(long address, HostBuffer target, long offset, long bytes) {
        if (!(target instanceof PinnedBuffer pinned)) {
            throw new IllegalArgumentException("host memory of another GPU: " + target);
        }
        if (offset < 0 || bytes < 0 || offset + bytes > pinned.bytes()) {
            throw new IllegalArgumentException(
                    bytes + " bytes at " + offset + " do not fit into " + pinned.bytes() + " bytes");
        }
        driver.check(
                "cuMemcpyDtoHAsync",
                JCudaDriver.cuMemcpyDtoHAsync(pinned.at(offset), DevicePointer.at(address), bytes, stream));
    }

    @Override
    public void write(long address, byte[] source) {
        synchronize();
        for (int at = 0; at < source.length; at += STAGING_BYTES) {
            int length = Math.min(STAGING_BYTES, source.length - at);
            staging.put(0, source, at, length);
            driver.check(
                    "cuMemcpyHtoDAsync",
                    JCudaDriver.cuMemcpyHtoDAsync(DevicePointer.at(address + at), Pointer.to(staging), length, stream));
            synchronize();
        }
    }

    @Override
    public GpuModule load(byte[] image) {
        return modules.load(image);
    }

    @Override
    public byte[] encode(TensorMap map, long address) {
        return launcher.encode(map, address);
    }

    @Override
    public PreparedLaunch prepare(GpuFunction function, LaunchGrid grid, List<KernelArgument> parameters) {
        return launcher.prepare(entry(function).address(), grid, parameters);
    }

    @Override
    public PreparedLaunch prepareBeside(GpuFunction function, LaunchGrid grid, List<KernelArgument> parameters) {
        return launcherBeside.prepare(entry(function).address(), grid, parameters);
    }

    private static ModuleLoader.Entry entry(GpuFunction function) {
        if (function instanceof ModuleLoader.Entry entry) {
            return entry;
        }
        throw new IllegalArgumentException("a function of another GPU: " + function);
    }

    @Override
    public GpuEvent event() {
        return StreamEvent.create(driver, stream);
    }

    @Override
    public void synchronize() {
        driver.check("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(stream));
    }

    @Override
    public long stream() {
        return stream.address();
    }

    @Override
    public void close() {
        driver.check("cuStreamDestroy", JCudaDriver.cuStreamDestroy(beside));
        driver.check("cuStreamDestroy", JCudaDriver.cuStreamDestroy(stream));
        driver.check("cuDevicePrimaryCtxRelease", JCudaDriver.cuDevicePrimaryCtxRelease(device));
    }

    /** A stream whose handle can be seen. */
    private static final class StreamHandle extends CUstream {
        long address() {
            return getNativePointer();
        }
    }
}
