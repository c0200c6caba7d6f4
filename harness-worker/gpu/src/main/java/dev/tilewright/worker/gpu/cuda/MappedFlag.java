package dev.tilewright.worker.gpu.cuda;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jcuda.Pointer;
import jcuda.driver.JCudaDriver;

/** Pinned host memory that is mapped into the device's addresses. */
final class MappedFlag implements HostFlag {

    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final DriverLibrary driver;
    private final Pointer host;
    private final ByteBuffer bytes;
    private final long deviceAddress;

    private MappedFlag(DriverLibrary driver, Pointer host, ByteBuffer bytes, long deviceAddress) {
        this.driver = driver;
        this.host = host;
        this.bytes = bytes;
        this.deviceAddress = deviceAddress;
    }

    static MappedFlag allocate(DriverLibrary driver, int words) {
        Pointer host = new Pointer();
        long size = (long) words * Integer.BYTES;
        driver.check("cuMemHostAlloc", JCudaDriver.cuMemHostAlloc(host, size, JCudaDriver.CU_MEMHOSTALLOC_DEVICEMAP));
        ByteBuffer bytes = host.getByteBuffer(0, size);
        DevicePointer device = new DevicePointer();
        driver.check("cuMemHostGetDevicePointer", JCudaDriver.cuMemHostGetDevicePointer(device, host, 0));
        MappedFlag flag = new MappedFlag(driver, host, bytes, device.address());
        for (int word = 0; word < words; word++) {
            flag.set(word, 0);
        }
        return flag;
    }

    @Override
    public long deviceAddress() {
        return deviceAddress;
    }

    @Override
    public void set(int index, int value) {
        WORD.setRelease(bytes, index * Integer.BYTES, value);
    }

    @Override
    public int get(int index) {
        return (int) WORD.getAcquire(bytes, index * Integer.BYTES);
    }

    @Override
    public void close() {
        driver.check("cuMemFreeHost", JCudaDriver.cuMemFreeHost(host));
    }
}
