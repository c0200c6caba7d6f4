package dev.tilewright.worker.agent.compile;

import dev.tilewright.worker.link.assembler.AssemblerLibrary;
import dev.tilewright.worker.link.process.ChildCommand;
import dev.tilewright.worker.link.process.VisibleGpus;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the assembler of a machine, in the order of preference: ptxas, the driver's JIT where there is a GPU,
 * NvPTXCompiler.
 *
 * @param environment variables of this process; {@code TILEWRIGHT_PTXAS} names a ptxas outside {@code PATH}
 * @param gpu number of the GPU, among those that this process may see, on which the driver's JIT may open a context;
 *     {@code null} where there is no driver
 * @param program main class of the children that assemble with a library
 */
public record Assemblers(
        Map<String, String> environment, @Nullable Integer gpu, Class<?> program) {

    /** A JVM that loads the compiler, with room for it beside its heap. */
    private static final long CHILD_ADDRESS_SPACE_KIB = 12L << 20;

    private static final int CHILD_HEAP_MIB = 256;

    /**
     * The best one that works here.
     *
     * @throws IOException naming each one and why it cannot be used; also if {@code TILEWRIGHT_PTXAS} names a program
     *     that is no ptxas, because somebody wanted that one
     */
    public AssemblerSource choose() throws IOException {
        Optional<Path> ptxas = ptxas();
        if (ptxas.isPresent()) {
            PtxasAssembler.at(ptxas.get());
            return () -> PtxasAssembler.at(ptxas.get());
        }
        List<String> reasons = new ArrayList<>(List.of("ptxas: not on the PATH, and TILEWRIGHT_PTXAS is not set"));
        List<AssemblerLibrary> libraries = gpu == null
                ? List.of(AssemblerLibrary.NVPTXCOMPILER)
                : List.of(AssemblerLibrary.DRIVER_JIT, AssemblerLibrary.NVPTXCOMPILER);
        for (AssemblerLibrary library : libraries) {
            try {
                String gpus = gpus(library);
                AssemblerSource source = () -> ChildAssembler.start(
                        library.toString(), directory -> command(program, library, gpus, directory));
                source.start().close();
                return source;
            } catch (IOException unusable) {
                reasons.add(library + ": " + unusable.getMessage());
            }
        }
        throw new IOException("no assembler for PTX: " + String.join("; ", reasons));
    }

    /** Whether the user named an assembler. If so, no other one is used in its place. */
    public boolean isNamed() {
        return named().isPresent();
    }

    private Optional<Path> named() {
        return Optional.ofNullable(environment.get("TILEWRIGHT_PTXAS"))
                .filter(name -> !name.isBlank())
                .map(name -> Path.of(name).toAbsolutePath());
    }

    private Optional<Path> ptxas() {
        Optional<Path> named = named();
        if (named.isPresent()) {
            return named;
        }
        return Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(directory -> !directory.isBlank())
                .map(directory -> Path.of(directory, "ptxas"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** GPUs that the child of a library sees: none if it needs none. */
    String gpus(AssemblerLibrary library) throws IOException {
        if (library == AssemblerLibrary.NVPTXCOMPILER || gpu == null) {
            return "";
        }
        VisibleGpus visible = VisibleGpus.of(environment);
        return visible.name(gpu).orElseThrow(() -> new IOException(visible.missing(gpu)));
    }

    /** The child of a library. */
    static ChildCommand command(Class<?> program, AssemblerLibrary library, String gpus, Path directory) {
        ChildCommand command = ChildCommand.jvm(
                        library.toString(),
                        CHILD_HEAP_MIB,
                        directory,
                        Map.of(VisibleGpus.VARIABLE, gpus),
                        program,
                        library.toString())
                .givingWay();
        return switch (library) {
            case DRIVER_JIT -> command;
            case NVPTXCOMPILER -> command.withAddressSpace(CHILD_ADDRESS_SPACE_KIB);
        };
    }
}
