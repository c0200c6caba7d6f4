package dev.tilewright.worker.agent.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.bundle.BundleSpace;
import dev.tilewright.bundle.TimedLaunch;
import dev.tilewright.launch.Extents;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.worker.agent.trial.KernelSource.Written;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bundles as a worker has them: fetched once by their version, compared with it, and made into kernels. */
class BundleSourceTest {

    private static final Path EXAMPLE = Path.of("../../docs/examples/bundles/ptx-bias-relu");
    private static final DeviceLimits LIMITS = DeviceLimits.of(132);

    private final List<String> asked = new ArrayList<>();
    private final FetchedBundles bundles = new FetchedBundles(this::zip);
    private final BundleSource source = new BundleSource(bundles, (family, problem, config, limits, traced) -> {
        throw new IllegalArgumentException("another source was asked for " + family);
    });
    private BundleFiles files = BundleFiles.of(Map.of());
    private String family = "";

    @BeforeEach
    void read() throws IOException {
        files = BundleFiles.read(EXAMPLE);
        family = BundleSpace.of(Bundle.read(files)).family();
    }

    private byte[] zip(String version) throws IOException {
        asked.add(version);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        files.zip(out);
        return out.toByteArray();
    }

    private static Problem problem(Bundle bundle, int m, int n, int k) {
        return bundle.problem().of(new ProblemShape(m, n, k), 1);
    }

    private Problem problem(int m, int n, int k) {
        return problem(Bundle.read(files), m, n, k);
    }

    private static Config config(int tile) {
        return Config.of(Map.of("tile", ParameterValue.of(tile)));
    }

    @Test
    void aVersionIsFetchedOnce() {
        assertThat(bundles.find(family).orElseThrow().family()).isEqualTo(family);
        source.kernel(family, problem(200, 72, 100), config(16), LIMITS, false);
        assertThat(asked).containsExactly(family.substring(family.indexOf('@') + 1));
        assertThat(bundles.find("sm90-gemm")).isEmpty();
    }

    @Test
    void anotherVersionThanTheLeaseNamesIsRefused() {
        String other = "bundle:ptx-bias-relu@0123456789abcdef";
        assertThatThrownBy(() -> bundles.find(other)).hasMessage("the service gave " + family + " for " + other);
        assertThatThrownBy(() -> bundles.find("bundle:ptx-bias-relu"))
                .hasMessage("a lease names a version of a bundle, got bundle:ptx-bias-relu");
    }

    @Test
    void aBundleThatCannotBeFetchedIsSaidAndAskedForAgain() {
        boolean[] away = {true};
        FetchedBundles absent = new FetchedBundles(version -> {
            if (away[0]) {
                throw new IOException("cannot reach the service");
            }
            return zip(version);
        });
        assertThatThrownBy(() -> absent.find(family))
                .hasMessage(family + " cannot be fetched: cannot reach the service");
        away[0] = false;
        assertThat(absent.find(family)).isPresent();
    }

    @Test
    void aConfigIsATextWithItsLaunch() {
        Written written = (Written) source.kernel(family, problem(200, 72, 100), config(16), LIMITS, false);
        assertThat(written.target()).isEqualTo("sm_90a");
        assertThat(written.ptx()).contains(".maxntid 16, 16, 1").doesNotContain("${");
        assertThat(written.launch().entry()).contains("gemm");
        assertThat(written.launch().grid()).isEqualTo(new Extents(5, 13, 1));
        assertThat(written.launch().block()).isEqualTo(new Extents(16, 16, 1));
        assertThat(written.bundle()).isNotNull();
        assertThat(TimedLaunch.refusal(problem(200, 72, 100), written.launch())).isEmpty();
    }

    @Test
    void whatIsNoConfigOfItOrHasNoTwinIsRefused() {
        assertThatThrownBy(() -> source.kernel(family, problem(200, 72, 100), config(64), LIMITS, false))
                .hasMessageContaining("tile must be one of [8, 16, 32], got 64");
        assertThatThrownBy(() -> source.kernel(family, problem(200, 72, 100), config(16), LIMITS, true))
                .hasMessage("a kernel of a bundle has no twin");
        assertThatThrownBy(() -> source.kernel("sm90-gemm", problem(200, 72, 100), config(16), LIMITS, false))
                .hasMessage("another source was asked for sm90-gemm");
    }
}
