package dev.tilewright.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.ptx.parse.PtxParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A kernel as people write it: the body of an entry named {@code k}, read by the parser. Pointer parameters {@code p0},
 * {@code p1} and so on come first, one for each buffer, then tensor maps {@code m0} and so on.
 */
public final class PtxText {
    /** Dynamic shared memory, {@code smem} in the text. */
    private static final int DYNAMIC = 65536;

    private static final int SEEDS = 20;

    private final String text;
    private final int threads;
    private final int ctas;
    private final int cluster;
    private final List<Buffer> buffers;
    private final List<Argument> maps;
    private final PtxEmulator emulator;

    private PtxText(String body, int threads, int ctas, int cluster, List<Buffer> buffers, List<Argument> maps) {
        this.threads = threads;
        this.ctas = ctas;
        this.cluster = cluster;
        this.buffers = List.copyOf(buffers);
        this.maps = List.copyOf(maps);
        List<String> params = new ArrayList<>();
        for (int i = 0; i < buffers.size(); i++) {
            params.add(".param .u64 p" + i);
        }
        for (int i = 0; i < maps.size(); i++) {
            params.add(".param .align 64 .b8 m" + i + "[128]");
        }
        text = """
                .version 8.6
                .target sm_90a
                .address_size 64
                .extern .shared .align 1024 .b8 smem[];
                .visible .entry k(%s)
                .maxntid %d,1,1
                .minnctapersm 1
                %s{
                %s
                ret;
                }
                """.formatted(
                        String.join(", ", params),
                        threads,
                        cluster > 1 ? ".explicitcluster\n.reqnctapercluster " + cluster + ",1,1\n" : "",
                        body);
        emulator = new PtxEmulator(PtxParser.parse(text), "k");
    }

    /** One CTA. */
    public static PtxText of(String body, int threads, Buffer... buffers) {
        return new PtxText(body, threads, 1, 1, List.of(buffers), List.of());
    }

    /** As many CTAs as a cluster has. */
    public static PtxText ofCluster(String body, int threads, int cluster, Buffer... buffers) {
        return new PtxText(body, threads, cluster, cluster, List.of(buffers), List.of());
    }

    /** One CTA with tensor maps. */
    public static PtxText withMaps(String body, int threads, List<Argument> maps, Buffer... buffers) {
        return new PtxText(body, threads, 1, 1, List.of(buffers), maps);
    }

    public RunEnd run(long seed) {
        return run(seed, Set.of());
    }

    /** A run of a kernel that may break some rules. */
    public RunEnd run(long seed, Set<Rule> accepted) {
        List<Argument> arguments = new ArrayList<>();
        buffers.forEach(buffer -> arguments.add(new Argument.Pointer(buffer.name(), 0)));
        arguments.addAll(maps);
        Launch launch = new Launch("k", Dim3.of(ctas), Dim3.of(threads), Dim3.of(cluster), DYNAMIC, arguments, buffers);
        return emulator.run(launch, Options.seed(seed).withStepLimit(2_000_000).withAccepted(accepted));
    }

    /** The memory it leaves; no hazard. */
    public RunEnd.Completed completed(long seed) {
        RunEnd verdict = run(seed);
        assertThat(verdict)
                .as(() -> "seed " + seed + ": "
                        + (verdict instanceof RunEnd.Faulted f ? f.finding().message() : "completed") + "\n" + text)
                .isInstanceOf(RunEnd.Completed.class);
        return (RunEnd.Completed) verdict;
    }

    /** No hazard in 20 seeds, and always the same bytes in a buffer. */
    public byte[] clean(String buffer) {
        byte[] first = completed(0).buffer(buffer);
        for (int seed = 1; seed < SEEDS; seed++) {
            assertThat(completed(seed).buffer(buffer)).as("seed " + seed).isEqualTo(first);
        }
        return first;
    }

    /** The finding of the first of 20 seeds that has one. */
    public Finding finding() {
        for (int seed = 0; seed < SEEDS; seed++) {
            if (run(seed) instanceof RunEnd.Faulted faulted) {
                return faulted.finding();
            }
        }
        throw new AssertionError("no hazard within " + SEEDS + " seeds of\n" + text);
    }
}
