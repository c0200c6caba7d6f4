package dev.tilewright.worker.gpu.cuda;

import java.lang.invoke.MethodHandle;
import java.util.List;

/**
 * A function of a native library that returns a 32-bit result.
 *
 * <p>Pointers and handles are 64-bit integers here: on x86-64 both travel in the same registers, and most of them are
 * addresses on the device, which no memory segment can describe.
 */
record NativeCall(String name, MethodHandle handle) {

    NativeCall(String name, MethodHandle handle) {
        this.name = name;
        this.handle = handle.asSpreader(Object[].class, handle.type().parameterCount());
    }

    /** Calls it with {@code int}, {@code long} and {@code float} arguments as the signature has them. */
    int invoke(Object... arguments) {
        try {
            return (int) handle.invokeExact(arguments);
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable impossible) {
            throw new IllegalStateException(name + List.of(arguments), impossible);
        }
    }
}
