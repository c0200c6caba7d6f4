package dev.tilewright.worker.gpu.runner;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.program.CProgram;
import dev.tilewright.launch.program.KernelProgram;
import dev.tilewright.worker.gpu.measure.Arm;
import dev.tilewright.worker.gpu.verify.Ending;
import dev.tilewright.worker.gpu.verify.OperandSet;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The library in C that {@code export} writes, compiled by gcc and loaded into this process: it launches on the stream
 * of the tool, on the operands of the tool.
 */
@SuppressWarnings("restricted") // It calls native code.
final class ExportedLibrary implements Arm, AutoCloseable {

    private final Arena arena = Arena.ofConfined();
    private final SymbolLookup symbols;
    private final String prefix;
    private final MethodHandle run;
    private final MethodHandle unbind;
    private final MethodHandle close;
    private final MemorySegment kernel;
    private final MemorySegment stream;
    private final List<MemorySegment> bindings = new ArrayList<>();

    /** @param folder where it is written and compiled */
    ExportedLibrary(Path folder, KernelProgram program, List<OperandSet> sets, long stream)
            throws IOException, InterruptedException {
        this.prefix = program.name() + "_";
        this.symbols = SymbolLookup.libraryLookup(compiled(folder, program), arena);
        this.run = function("run", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
        this.unbind = function("unbind", FunctionDescriptor.ofVoid(ADDRESS));
        this.close = function("close", FunctionDescriptor.ofVoid(ADDRESS));
        this.stream = MemorySegment.ofAddress(stream);
        MethodHandle open = function("open", FunctionDescriptor.of(JAVA_INT, ADDRESS));
        MethodHandle bind = function("bind", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));
        MemorySegment made = arena.allocate(ADDRESS);
        must(open, made);
        this.kernel = made.get(ADDRESS, 0);
        for (OperandSet set : sets) {
            must(bind, kernel, operands(program.launch(), set), made);
            bindings.add(made.get(ADDRESS, 0));
        }
    }

    private static Path compiled(Path folder, KernelProgram program) throws IOException, InterruptedException {
        for (Map.Entry<String, String> file : CProgram.of(program).entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue());
        }
        String name = program.name();
        Process gcc = new ProcessBuilder(
                        "gcc",
                        "-std=c11",
                        "-O2",
                        "-shared",
                        "-fPIC",
                        name + ".c",
                        name + "_image.c",
                        "-ldl",
                        "-o",
                        name)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(gcc.getInputStream().readAllBytes());
        if (gcc.waitFor() != 0) {
            throw new IllegalStateException("gcc: " + said);
        }
        return folder.resolve(name);
    }

    /** Addresses of A, B and D of each product, then a scale of 1, of which a program without one knows nothing. */
    private MemorySegment operands(LaunchDescription launch, OperandSet set) {
        List<Expectation.Gemm> products = Ending.gemms(launch);
        MemorySegment given = arena.allocate(3 * JAVA_LONG.byteSize() * products.size() + JAVA_LONG.byteSize());
        long[] next = {set.a().address(), set.b().address(), set.d().address()};
        int at = 0;
        for (Expectation.Gemm gemm : products) {
            List<Expectation.Operand> operands = List.of(gemm.a(), gemm.b(), gemm.d());
            for (int i = 0; i < operands.size(); i++) {
                given.setAtIndex(JAVA_LONG, at++, next[i]);
                next[i] += launch.buffer(operands.get(i).buffer()).bytes();
            }
        }
        given.set(JAVA_FLOAT, at * JAVA_LONG.byteSize(), 1);
        return given;
    }

    private MethodHandle function(String name, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(symbols.findOrThrow(prefix + name), type);
    }

    private static Object call(MethodHandle function, Object... arguments) {
        try {
            return function.invokeWithArguments(arguments);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void must(MethodHandle function, Object... arguments) {
        if (!Integer.valueOf(0).equals(call(function, arguments))) {
            MethodHandle error = function("error", FunctionDescriptor.of(ADDRESS));
            MemorySegment text = (MemorySegment) call(error);
            throw new IllegalStateException(text.reinterpret(4096).getString(0));
        }
    }

    @Override
    public String name() {
        return "export";
    }

    @Override
    public int sets() {
        return bindings.size();
    }

    @Override
    public void enqueue(int set) {
        try {
            int code = (int) run.invokeExact(bindings.get(set), stream);
            if (code != 0) {
                must(run, bindings.get(set), stream);
            }
        } catch (RuntimeException failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The launch, and what it may zero before. */
    @Override
    public int entriesPerLaunch() {
        return 2;
    }

    @Override
    public void close() {
        bindings.forEach(binding -> call(unbind, binding));
        call(close, kernel);
        arena.close();
    }
}
