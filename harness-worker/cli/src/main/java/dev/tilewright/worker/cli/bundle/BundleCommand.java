package dev.tilewright.worker.cli.bundle;

import dev.tilewright.worker.cli.CheckLines;
import dev.tilewright.worker.cli.Printer;
import dev.tilewright.worker.cli.RedrawnLine;
import dev.tilewright.worker.cli.Terminal;
import dev.tilewright.worker.cli.capture.LaunchesFile;
import dev.tilewright.worker.cli.export.TextAssembler;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bundle}: checks and makes bundles, the form in which users bring kernels of their own. */
@Command(
        name = "bundle",
        description = "Bundles: kernels of your own with their launches for any problem. See docs/bundles.md.")
public final class BundleCommand {

    private final Map<String, String> environment;
    private final TextAssembler assembler;
    private final Clock clock;
    private final Printer out;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** @param out verdicts, and what was written */
    public BundleCommand(Map<String, String> environment, TextAssembler assembler, Clock clock, PrintStream out) {
        this.environment = environment;
        this.assembler = assembler;
        this.clock = clock;
        this.out = Printer.of(environment, out);
    }

    @Command(
            name = "check",
            description = {
                "Read a bundle, assemble its kernels, and prove its configs on an emulated GPU at small shapes.",
                "Exit code: 0 all proved, 1 one is wrong, 2 wrong options or a wrong bundle, 3 one is shallow or"
                        + " unsupported."
            })
    int check(
            @Parameters(paramLabel = "DIR|ZIP", description = "Folder or zip with kernel.yaml.") Path bundle,
            @Mixin BundleCheckOptions options)
            throws IOException {
        return new BundleChecks(
                        assembler,
                        new CheckLines(new RedrawnLine(spec.commandLine().getErr(), Terminal.of(environment), clock)),
                        out)
                .run(bundle, options)
                .code();
    }

    @Command(
            name = "init",
            description = "Write a commented bundle with a small kernel. bundle check proves it without a change.")
    int init(
            @Parameters(paramLabel = "DIR", description = "Folder to write to; it may be new.") Path directory,
            @Option(
                            names = "--name",
                            paramLabel = "NAME",
                            description = "Name of the bundle (default: that of the folder).")
                    @Nullable
                    String name)
            throws IOException {
        NewBundle.write(directory, name, out);
        return ExitCode.OK.code();
    }

    @Command(
            name = "record",
            description = {
                "Run the host program of a bundle for some problems, and write a zip of the bundle with what it prints"
                        + " in place of the program.",
                "tune --bundle, bundle push and compare take the zip: no service and no worker runs the program."
            })
    int record(
            @Parameters(paramLabel = "DIR", description = "Folder with kernel.yaml and the program.") Path directory,
            @Option(
                            names = "--helper",
                            paramLabel = "PROGRAM",
                            required = true,
                            description = "The program, as 'helper' in kernel.yaml names it.")
                    String helper,
            @Option(
                            names = "--shape",
                            paramLabel = "MxNxK[xBATCH]",
                            required = true,
                            description = "Record the launches of this shape; repeatable.")
                    List<String> shapes,
            @Option(
                            names = "--sms",
                            paramLabel = "N",
                            defaultValue = "132",
                            description = "SMs of the GPU; repeatable (default: ${DEFAULT-VALUE}, an H100 or H200).")
                    List<Integer> sms,
            @Option(names = "--to", paramLabel = "ZIP", required = true, description = "File to write.") Path zip)
            throws IOException {
        sms.forEach(count -> Syntax.requirePositive("--sms", count));
        Syntax.requireWritable("--to", zip);
        new LaunchRecording(directory, helper, shapes, sms, out).write(zip);
        return ExitCode.OK.code();
    }

    @Command(
            name = "from-cuda",
            description = "Compile a file of CUDA C++ by nvcc once for each combination of values, and write a"
                    + " kernel.yaml to be filled.")
    int fromCuda(
            @Parameters(paramLabel = "FILE.cu", description = "Source with the kernel.") Path source,
            @Option(
                            names = "--define",
                            paramLabel = "NAME=V[,V...]",
                            description = "Compile with -DNAME=V for each value; repeatable: all combinations.")
                    List<String> defines,
            @Option(
                            names = "--arch",
                            paramLabel = "SM",
                            defaultValue = "sm_90a",
                            description = "Target to compile for (default: ${DEFAULT-VALUE}).")
                    String architecture,
            @Option(
                            names = "--flag",
                            paramLabel = "FLAG",
                            description = "A further option of nvcc, such as --flag=-std=c++17; repeatable.")
                    List<String> flags,
            @Option(names = "--entry", paramLabel = "NAME", description = "Kernel to take, if the file has several.")
                    @Nullable
                    String entry,
            @Option(
                            names = "--to",
                            paramLabel = "DIR",
                            description =
                                    "Folder to write to (default: one in this folder, with the name of the file).")
                    @Nullable
                    Path directory)
            throws IOException, InterruptedException {
        Syntax.requireReadable("FILE.cu", source);
        new BundleFromCuda(
                        source,
                        Syntax.settings("--define", defines == null ? List.of() : defines),
                        architecture,
                        flags == null ? List.of() : flags,
                        Optional.ofNullable(entry),
                        OnPath.find("nvcc", environment),
                        out)
                .write(directory == null ? BundleFromCuda.folder(source) : directory);
        return ExitCode.OK.code();
    }

    @Command(
            name = "from-triton",
            description =
                    "Make a bundle of the compiled kernels in Triton's cache, with a kernel.yaml to be filled. One"
                            + " that is there is kept, and must fit the kernels; their texts are written anew.")
    int fromTriton(
            @Parameters(paramLabel = "DIR", description = "The cache, such as ~/.triton/cache, or a folder of it.")
                    Path cache,
            @Option(names = "--to", paramLabel = "DIR", required = true, description = "Folder to write to.")
                    Path directory,
            @Option(names = "--kernel", paramLabel = "NAME", description = "Kernel to take, if the cache has several.")
                    @Nullable
                    String kernel,
            @Option(
                            names = "--from",
                            paramLabel = "DIR",
                            description = "Recording of tilewright capture with launches of these kernels: it fills the"
                                    + " kernel.yaml of a GEMM.")
                    @Nullable
                    Path recording)
            throws IOException {
        LaunchesFile recorded =
                recording == null ? new LaunchesFile(List.of(), Map.of()) : LaunchesFile.read("--from", recording);
        List<TritonVariant> variants = new TritonCache(cache, recorded.kernels(), out).of(Optional.ofNullable(kernel));
        int configs = recorded.configs().getOrDefault(variants.getFirst().kernel(), 0);
        if (configs > 0) {
            out.println("autotuned: " + configs + " configs, of which the program launched " + variants.size()
                    + " variants that are in the cache");
        }
        TritonBundle.of(variants, recorded.kernels(), out).write(directory);
        return ExitCode.OK.code();
    }
}
