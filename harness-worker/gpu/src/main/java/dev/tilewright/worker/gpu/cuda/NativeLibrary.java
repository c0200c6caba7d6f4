package dev.tilewright.worker.gpu.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Optional;

/** A shared library found at run time. It stays loaded until the process ends. */
final class NativeLibrary {

    private final String name;
    private final SymbolLookup symbols;

    /** A library whose functions are looked up elsewhere. */
    NativeLibrary(String name, SymbolLookup symbols) {
        this.name = name;
        this.symbols = symbols;
    }

    /** A library by its soname, from where the loader looks. */
    @SuppressWarnings("restricted")
    static Optional<NativeLibrary> named(String soname) {
        try {
            return Optional.of(new NativeLibrary(soname, SymbolLookup.libraryLookup(soname, Arena.global())));
        } catch (IllegalArgumentException notLoadable) {
            return Optional.empty();
        }
    }

    /** A library by its path. */
    @SuppressWarnings("restricted")
    static Optional<NativeLibrary> at(Path path) {
        try {
            return Optional.of(new NativeLibrary(path.toString(), SymbolLookup.libraryLookup(path, Arena.global())));
        } catch (IllegalArgumentException notLoadable) {
            return Optional.empty();
        }
    }

    /** Soname or path. */
    String name() {
        return name;
    }

    /** A function that returns a 32-bit result. */
    @SuppressWarnings("restricted")
    NativeCall call(String function, ValueLayout... parameters) {
        MemorySegment symbol = symbols.find(function)
                .orElseThrow(() -> new IllegalStateException(name + " has no function " + function));
        MethodHandle handle =
                Linker.nativeLinker().downcallHandle(symbol, FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters));
        return new NativeCall(function, handle);
    }

    /** Whether the library has the function. */
    boolean has(String function) {
        return symbols.find(function).isPresent();
    }
}
