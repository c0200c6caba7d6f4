package dev.tilewright.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.results.ColumnFile;
import dev.tilewright.results.TableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Assembles configs of a family, every second one as its traced twin; none may spill. */
public record AssembledCover(GemmFamily family, Target target) {

    private static final int ASSEMBLERS = 2;
    private static final int REGISTERS_OF_AN_SM = 65_536;

    /** What came out of one config. */
    public record Assembled(Config config, boolean traced, int registers, int sharedBytes) {}

    /** Assembles all, in their order. */
    public List<Assembled> assemble(List<Config> configs) throws Exception {
        Ptxas.assumePresent();
        List<Future<Assembled>> pending = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(ASSEMBLERS)) {
            for (int index = 0; index < configs.size(); index++) {
                Config config = configs.get(index);
                boolean traced = index % 2 == 1;
                pending.add(pool.submit(() -> assemble(config, traced)));
            }
        }
        List<Assembled> all = new ArrayList<>();
        for (Future<Assembled> one : pending) {
            all.add(one.get());
        }
        return all;
    }

    private Assembled assemble(Config config, boolean traced) throws IOException, InterruptedException {
        GemmKernel kernel = family.build(config, traced);
        var entry = kernel.module().entries().getFirst();
        int registers = Ptxas.registers(target, config.canonical(), kernel.text());
        // What the CTA is given at its start must fit the SM.
        assertThat(registers * entry.launch().maxThreads() * entry.launch().minCtasPerSm())
                .as(config.canonical())
                .isLessThanOrEqualTo(REGISTERS_OF_AN_SM);
        return new Assembled(config, traced, registers, entry.dynamicShared().bytes());
    }

    /** Assembles all and writes a row for each. */
    public void write(List<Config> configs, Path file) throws Exception {
        List<String> lines = new ArrayList<>(List.of("config,traced,registers,sharedBytes"));
        for (Assembled one : assemble(configs)) {
            lines.add(one.config().canonical() + "," + one.traced() + "," + one.registers() + "," + one.sharedBytes());
        }
        Files.createDirectories(file.getParent());
        ColumnFile.write(TableFile.document(lines), file);
    }
}
