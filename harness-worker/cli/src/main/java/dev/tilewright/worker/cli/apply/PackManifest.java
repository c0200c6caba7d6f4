package dev.tilewright.worker.cli.apply;

import dev.tilewright.launch.program.RangeProgram;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.space.Config;
import dev.tilewright.worker.cli.capture.CaptureFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code pack.json}: what a pack computes, for which GPU, and where that comes from.
 *
 * @param kind {@code measured} or {@code simulated}
 * @param hash of all tables of kernels
 * @param files hash of the sources and headers, as {@code digest()} of the package finds it
 * @param device {@code null} if any GPU with so many SMs will do
 * @param driver {@code null} if nothing was measured
 * @param capability compute capability, major and minor
 * @param program the recorded command
 * @param servedShare of the time of all recorded GEMMs, from 0 to 1
 */
record PackManifest(
        int schemaVersion,
        String kind,
        String origin,
        String hash,
        String files,
        @Nullable String device,
        @Nullable String driver,
        List<Integer> capability,
        int sms,
        List<String> program,
        Map<String, String> recordedWith,
        double servedShare,
        List<Product> problems,
        List<LeftOut> notReplaced) {

    /** Within one version properties are added, never removed or given another meaning. */
    static final int SCHEMA_VERSION = 1;

    /**
     * A problem with the M that have a kernel.
     *
     * @param name of the folder, and of the program in it
     * @param problem for people
     * @param launches of the recording
     * @param share of time, from 0 to 1
     */
    record Product(String name, String problem, ProblemDocument of, long launches, double share, List<Row> rows) {}

    /**
     * The kernel of some M.
     *
     * @param us microseconds of a launch; {@code null} of several M
     * @param pytorchUs {@code null} if nobody measured it
     */
    record Row(
            int from,
            int to,
            Config config,
            @Nullable Double us,
            @Nullable Double pytorchUs) {}

    /** A problem that PyTorch computes. */
    record LeftOut(String problem, double share, String why) {}

    static PackManifest of(
            PackPlan plan,
            PackDevice device,
            CaptureFile recording,
            List<Integer> capability,
            String hash,
            String files,
            List<RangeProgram> programs) {
        List<Product> products = new ArrayList<>();
        for (int i = 0; i < programs.size(); i++) {
            products.add(product(programs.get(i).name(), plan.products().get(i)));
        }
        return new PackManifest(
                SCHEMA_VERSION,
                device.simulated() ? "simulated" : "measured",
                device.origin(),
                hash,
                files,
                device.name().orElse(null),
                device.driver().orElse(null),
                capability,
                device.sms(),
                recording.program(),
                recording.versions(),
                plan.share(),
                products,
                plan.left().stream()
                        .map(each -> new LeftOut(each.line().text(), each.line().share(), each.why()))
                        .toList());
    }

    private static Product product(String name, PackPlan.Product product) {
        return new Product(
                name,
                product.captured().text(),
                ProblemDocument.of(product.problem()),
                product.launches(),
                product.share(),
                product.rows().stream()
                        .map(row -> new Row(
                                row.from(),
                                row.to(),
                                row.config(),
                                row.us().orElse(null),
                                row.pytorchUs().orElse(null)))
                        .toList());
    }
}
