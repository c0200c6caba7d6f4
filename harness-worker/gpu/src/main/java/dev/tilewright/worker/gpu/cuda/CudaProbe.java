package dev.tilewright.worker.gpu.cuda;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Whether this machine has an NVIDIA GPU that works. Makes no context and unpacks no natives, so any process may ask.
 */
public sealed interface CudaProbe {

    /** No driver library: a machine without an NVIDIA driver. */
    record Absent() implements CudaProbe {}

    /** There is a driver, but it does not work. Never a reason to simulate. */
    record Failing(String reason) implements CudaProbe {}

    /** At least one GPU. */
    record Present(List<GpuInfo> devices) implements CudaProbe {
        public Present {
            devices = List.copyOf(devices);
        }
    }

    /** Exists while the kernel's part of the driver is loaded. */
    Path KERNEL_DRIVER = Path.of("/proc/driver/nvidia/version");

    /** Asks the driver of this machine. */
    static CudaProbe run() {
        return of(DriverLibrary.load(), Files.exists(KERNEL_DRIVER));
    }

    /** The rule, with what was found. */
    private static CudaProbe of(Optional<DriverLibrary> library, boolean kernelDriver) {
        if (library.isEmpty()) {
            return withoutLibrary(kernelDriver);
        }
        try {
            DeviceQueries devices = new DeviceQueries(library.get());
            devices.initialize();
            int count = devices.count();
            return count == 0
                    ? new Failing("the driver lists no GPU to this process")
                    : new Present(IntStream.range(0, count)
                            .mapToObj(devices::describe)
                            .toList());
        } catch (CudaException failure) {
            return new Failing(failure.getMessage());
        }
    }

    /** A machine whose kernel drives a GPU, but whose library cannot be loaded, is broken, not without a GPU. */
    static CudaProbe withoutLibrary(boolean kernelDriver) {
        return kernelDriver
                ? new Failing("the NVIDIA kernel driver is loaded, but " + DriverLibrary.SONAME + " cannot be loaded")
                : new Absent();
    }
}
