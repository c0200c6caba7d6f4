package dev.tilewright.api.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.drawn.RunProvenance;
import dev.tilewright.api.testing.Latencies;
import dev.tilewright.testing.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Requests of all kinds at a steady rate, to a service in a process of its own. */
@Tag("alone")
class MixedLoadTest {

    private static final Path FIGURES = Path.of("../docs/results/service");

    private static final long SEED = 21;
    private static final int RATE = 1000;
    private static final Duration TIME = Duration.ofMinutes(5);

    /** At a quarter of the rate, half of it and all of it, so that the run begins with what is compiled. */
    private static final Duration WARM = Duration.ofSeconds(Long.getLong("tilewright.load.warm", 60));

    private static final Duration P99 = Duration.ofMillis(50);
    private static final double MOST_MIB = 1024;

    /** On a busy machine too. */
    @Test
    void aHundredRequestsASecondFailNever() throws IOException {
        try (LoadedService service = LoadedService.start()) {
            MixedLoad load = new MixedLoad(service, 8_000);
            MixedLoad.Outcome outcome = load.run(100, Duration.ofSeconds(8), SEED);
            System.out.println(text(outcome, service.peakMib()));
            assertThat(outcome.faults()).isEmpty();
            assertThat(outcome.all().percentile(99)).isLessThan(Duration.ofSeconds(5));
            assertThat(service.peakMib()).isLessThan(MOST_MIB);
        }
    }

    @Test
    @Tag("full")
    void aThousandRequestsASecondForFiveMinutes() throws IOException {
        try (LoadedService service = LoadedService.start()) {
            Duration time = Duration.ofSeconds(Long.getLong("tilewright.load.seconds", TIME.toSeconds()));
            int rate = Integer.getInteger("tilewright.load.rate", RATE);
            // A third of lease traffic is leases of four trials.
            MixedLoad load = new MixedLoad(service, (int) (rate * (time.toSeconds() + WARM.toSeconds()) * 4 / 10 / 2));
            for (int part : new int[] {4, 2, 1}) {
                System.out.println("warm: "
                        + load.run(rate / part, WARM.dividedBy(3), SEED + part).all());
            }
            LoadedService.Worked before = service.worked();
            MixedLoad.Outcome outcome = load.run(rate, time, SEED);
            LoadedService.Worked worked = service.worked().since(before);
            double peakMib = service.peakMib();
            String text = text(outcome, peakMib)
                    + "A request took the service %.2f ms of a core, and its Postgres %.2f ms.%n"
                            .formatted(each(worked.service(), outcome), each(worked.database(), outcome));
            System.out.println(text);
            write(outcome, rate, peakMib, text);
            assertThat(outcome.faults()).isEmpty();
            assertThat(outcome.all().percentile(99)).isLessThan(P99);
            assertThat(peakMib).isLessThan(MOST_MIB);
        }
    }

    private static double each(Duration worked, MixedLoad.Outcome outcome) {
        return worked.toNanos() / 1e6 / outcome.all().count();
    }

    private static String text(MixedLoad.Outcome outcome, double peakMib) {
        StringBuilder text = new StringBuilder("""
                | | of a hundred | requests | median ms | p99 ms | p99.9 ms | longest ms |
                | --- | ---: | ---: | ---: | ---: | ---: | ---: |
                """);
        outcome.latencies()
                .forEach((kind, times) -> text.append(row(kind.label(), Integer.toString(kind.share()), times)));
        return text.append(row("all", "100", outcome.all()))
                .append(String.format(
                        Locale.ROOT,
                        "%n%.0f requests/s answered, %d failed; the service took %.0f MiB at the most (RSS).%n",
                        outcome.rate(),
                        outcome.failures().size(),
                        peakMib))
                .toString();
    }

    private static String row(String label, String share, Latencies times) {
        return "| %s | %s | %d | %s | %s | %s | %s |%n"
                .formatted(
                        label,
                        share,
                        times.count(),
                        Latencies.ms(times.percentile(50)),
                        Latencies.ms(times.percentile(99)),
                        Latencies.ms(times.percentile(99.9)),
                        Latencies.ms(times.longest()));
    }

    private static void write(MixedLoad.Outcome outcome, int rate, double peakMib, String text) throws IOException {
        Files.writeString(ResultFile.of(FIGURES.resolve("load.md")), """
                # Mixed load

                %d requests a second for %.0f s, each at its time on a schedule whatever became of the ones before; latency counts from that
                time to the last byte. The service is a process of its own with the options of the launcher; its Postgres and the client
                share the same cores. It holds 2,000 jobs with half of them open, 50 studies of 64 trials, and a study that 64 workers take
                trials of. %s.
                Written by `./tilewright test --figures`.

                %s""".formatted(
                        rate, outcome.seconds(), RunProvenance.line(), text));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("provenance", RunProvenance.line());
        json.put("ratePerSecond", rate);
        json.put("seconds", outcome.seconds());
        json.put("failed", outcome.failures().size());
        json.put("peakRssMib", peakMib);
        json.put("all", figures(outcome.all()));
        Map<String, Object> kinds = new LinkedHashMap<>();
        outcome.latencies().forEach((kind, times) -> kinds.put(kind.label(), figures(times)));
        json.put("kinds", kinds);
        Files.writeString(
                ResultFile.of(FIGURES.resolve("load.json")),
                JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n");
    }

    private static Map<String, Object> figures(Latencies times) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("requests", times.count());
        for (double percent : new double[] {50, 90, 99, 99.9, 100}) {
            figures.put("p" + percent, times.percentile(percent).toNanos() / 1e6);
        }
        return figures;
    }
}
