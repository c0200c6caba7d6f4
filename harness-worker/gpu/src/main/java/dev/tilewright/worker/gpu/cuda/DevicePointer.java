package dev.tilewright.worker.gpu.cuda;

import jcuda.driver.CUdeviceptr;

/** JCuda's device pointer, to and from an address. */
final class DevicePointer extends CUdeviceptr {

    DevicePointer() {}

    private DevicePointer(long address) {
        super(new CUdeviceptr(), address);
    }

    static DevicePointer at(long address) {
        return new DevicePointer(address);
    }

    long address() {
        return getNativePointer() + getByteOffset();
    }
}
