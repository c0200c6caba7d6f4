package dev.tilewright.proof.export;

import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.family.DeviceLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A kernel as two files: {@code NAME.ptx} and {@code NAME.yaml}. */
public record KernelExport(String ptx, String description) {

    /**
     * The kernel of a config, for a problem on a GPU with a few SMs.
     *
     * @throws IllegalArgumentException if the family refuses the problem or cannot build the config
     */
    public static KernelExport of(GemmFamily family, Problem problem, Config config, int sms) {
        GemmKernel kernel = family.build(config, false);
        String title = family.name() + " " + config.canonical() + " on " + problem.shapes() + ", " + sms + " SMs";
        return new KernelExport(
                kernel.text(), LaunchText.of(title, problem, kernel.launch(problem, DeviceLimits.of(sms), config)));
    }

    /**
     * Writes both files; the folder is made if there is none.
     *
     * @param name of the files, without what follows the dot
     */
    public void write(Path directory, String name) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve(name + ".ptx"), ptx);
        Files.writeString(directory.resolve(name + ".yaml"), description);
    }
}
