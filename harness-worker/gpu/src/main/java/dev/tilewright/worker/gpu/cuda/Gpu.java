package dev.tilewright.worker.gpu.cuda;

import dev.tilewright.launch.TensorMap;
import java.util.List;

/**
 * One GPU with one stream, in order. All work is put into that stream; calls that read memory wait for it first. One
 * thread uses it at a time.
 *
 * <p>Beside it there is a second stream for kernels that only keep SMs occupied. Nothing waits for it, with one
 * exception that is the driver's: while something runs there, nothing may be loaded, allocated or freed, nor a kernel
 * be launched for the first time, because the driver may then wait for the whole device.
 *
 * <p>Every method may throw {@link CudaException}.
 */
public interface Gpu extends AutoCloseable {

    GpuInfo info();

    /** Memory that is free now, in bytes. */
    long freeBytes();

    /** Memory of the device, in bytes. */
    long totalBytes();

    DeviceBuffer allocate(long bytes);

    /** Host memory of this many 32-bit words, zero at first, that the device sees. */
    HostFlag hostFlag(int words);

    /**
     * Fills with a 32-bit pattern.
     *
     * @param bytes a multiple of 4, as is the address
     */
    void fill(long address, int pattern, long bytes);

    /** Copies between addresses on the device. */
    void copy(long source, long target, long bytes);

    /** Waits for the stream and copies from the device to the host: as many bytes as the array has. */
    void read(long address, byte[] target);

    /** Host memory that the device can copy into. */
    HostBuffer hostBuffer(long bytes);

    /**
     * Puts a copy from the device to the host into the stream and returns; it is there when the stream has passed it.
     */
    void fetch(long address, HostBuffer target, long offset, long bytes);

    /** Copies to the device and waits until that is done. */
    void write(long address, byte[] source);

    /**
     * Loads a module.
     *
     * @param image a cubin, or PTX text, which the driver then assembles
     * @throws CudaException with the assembler's words in its message if the driver refuses the image
     */
    GpuModule load(byte[] image);

    /** The 128 bytes of a tensor map of what begins at an address, as they lie in the memory of the device. */
    byte[] encode(TensorMap map, long address);

    PreparedLaunch prepare(GpuFunction function, LaunchGrid grid, List<KernelArgument> parameters);

    /** The same for the second stream, whose kernels run beside those of the first. */
    PreparedLaunch prepareBeside(GpuFunction function, LaunchGrid grid, List<KernelArgument> parameters);

    GpuEvent event();

    /** Waits until the stream is empty. */
    void synchronize();

    /** The stream as a {@code CUstream}, for libraries that put work into it. */
    long stream();

    @Override
    void close();
}
