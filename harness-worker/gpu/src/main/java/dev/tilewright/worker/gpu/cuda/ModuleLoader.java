package dev.tilewright.worker.gpu.cuda;

import java.nio.ByteBuffer;
import jcuda.Pointer;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUjit_option;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;
import jcuda.driver.JITOptions;

/** Loads modules and reads back what the driver knows of their entries. */
record ModuleLoader(DriverLibrary driver) {

    private static final int LOG_BYTES = 16 << 10;

    GpuModule load(byte[] image) {
        // One byte more, zero: the driver takes PTX as a C string.
        ByteBuffer bytes = ByteBuffer.allocateDirect(image.length + 1);
        bytes.put(0, image);
        JITOptions options = new JITOptions();
        options.putBytes(CUjit_option.CU_JIT_ERROR_LOG_BUFFER, new byte[LOG_BYTES]);
        options.putInt(CUjit_option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, LOG_BYTES);
        CUmodule module = new CUmodule();
        int result = JCudaDriver.cuModuleLoadDataJIT(module, Pointer.to(bytes), options);
        String log = options.getString(CUjit_option.CU_JIT_ERROR_LOG_BUFFER);
        driver.check("cuModuleLoadDataEx" + (log == null || log.isBlank() ? "" : " [" + log.strip() + "]"), result);
        return new Module(driver, module);
    }

    private record Module(DriverLibrary driver, CUmodule module) implements GpuModule {

        @Override
        public GpuFunction function(String entry, int dynamicSharedBytes) {
            Entry function = new Entry(driver, new FunctionHandle());
            driver.check(
                    "cuModuleGetFunction(" + entry + ")",
                    JCudaDriver.cuModuleGetFunction(function.handle, module, entry));
            if (dynamicSharedBytes > 0) {
                driver.check(
                        "cuFuncSetAttribute(dynamic shared memory of " + entry + ", " + dynamicSharedBytes + " bytes)",
                        JCudaDriver.cuFuncSetAttribute(
                                function.handle,
                                CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                dynamicSharedBytes));
            }
            return function;
        }

        @Override
        public long variable(String name) {
            DevicePointer address = new DevicePointer();
            driver.check(
                    "cuModuleGetGlobal(" + name + ")",
                    JCudaDriver.cuModuleGetGlobal(address, new long[1], module, name));
            return address.address();
        }

        @Override
        public void close() {
            driver.check("cuModuleUnload", JCudaDriver.cuModuleUnload(module));
        }
    }

    /** A function with its handle. */
    record Entry(DriverLibrary driver, FunctionHandle handle) implements GpuFunction {

        long address() {
            return handle.address();
        }

        @Override
        public Attributes attributes() {
            int cluster = Math.max(1, read(CUfunction_attribute.CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH))
                    * Math.max(1, read(CUfunction_attribute.CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT))
                    * Math.max(1, read(CUfunction_attribute.CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH));
            return new Attributes(
                    read(CUfunction_attribute.CU_FUNC_ATTRIBUTE_NUM_REGS),
                    read(CUfunction_attribute.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
                    cluster);
        }

        private int read(int attribute) {
            int[] value = new int[1];
            driver.check(
                    "cuFuncGetAttribute(" + attribute + ")", JCudaDriver.cuFuncGetAttribute(value, attribute, handle));
            return value[0];
        }
    }

    /** A function whose handle can be seen. */
    static final class FunctionHandle extends CUfunction {
        long address() {
            return getNativePointer();
        }
    }
}
