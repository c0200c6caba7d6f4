package dev.tilewright.worker.cli;

import dev.tilewright.worker.compile.Assemblers.Library;
import dev.tilewright.worker.compile.child.AssemblerChild;
import dev.tilewright.worker.compile.child.PtxLibrary;
import dev.tilewright.worker.compile.link.AssemblerRequest;
import dev.tilewright.worker.link.CborChannel;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code assembler}: a child of the compile pool; speaks messages, not to people. */
@Command(name = "assembler", hidden = true, description = "Assemble PTX from messages on standard input.")
public final class AssemblerCommand implements Callable<Integer> {

    @Option(names = "--library", required = true, description = "driver-jit or nvptxcompiler.")
    private String library = "";

    @Mixin
    private ParentOption parent = new ParentOption();

    private final Function<Library, PtxLibrary> libraries;

    public AssemblerCommand(Function<Library, PtxLibrary> libraries) {
        this.libraries = libraries;
    }

    @Override
    public Integer call() throws IOException {
        parent.haltWithIt();
        Library wanted = Stream.of(Library.values())
                .filter(known -> known.toString().equals(library))
                .findFirst()
                .orElseThrow(() ->
                        new CommandFailedException(ExitCode.USAGE, "--library: unknown library '" + library + "'"));
        new AssemblerChild(libraries.apply(wanted)).serve(CborChannel.ofStandardStreams(AssemblerRequest.class));
        return ExitCode.OK.code();
    }
}
