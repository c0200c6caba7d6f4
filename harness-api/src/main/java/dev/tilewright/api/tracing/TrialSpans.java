package dev.tilewright.api.tracing;

import dev.tilewright.api.tracing.TraceRepository.Attempt;
import dev.tilewright.api.tracing.TraceRepository.Launches;
import dev.tilewright.api.tracing.TraceRepository.Trial;
import dev.tilewright.model.trial.GpuTime;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Spans of a trial: its leases, the phases of the one that brought the outcome, and the launches that were timed.
 *
 * <p>A worker reports how long each phase took, and not when it began. So the phases of its host are laid one behind
 * the other from the grant of the lease on, and those of its device so that the last one ends with the report. Their
 * lengths are measured, when each began is not; the time between the two is what the kernel waited for the device. A
 * phase that is entered twice, such as {@code verify}, is one span. The same holds of launches: the span is as long as
 * all of them at their median. There are none on a model or an emulator, whose launches take no time that passes.
 */
final class TrialSpans {

    /** Phases of the worker before the device has the trial, in this order. */
    private static final List<String> OF_THE_HOST = List.of("build", "assemble", "check");

    /** Phases of the device, in this order; unknown phases follow them. */
    private static final List<String> OF_THE_DEVICE =
            List.of("reference", "anchor", "load", "verify", "measure", "trace", "ahead");

    private static final String MEASURE = "measure";

    /** Outcomes that blame nobody. */
    private static final Set<String> NO_ERROR = Stream.of(
                    TrialOutcome.COMPLETED, TrialOutcome.PRUNED, TrialOutcome.CANCELLED)
            .map(TrialOutcome::toString)
            .collect(Collectors.toUnmodifiableSet());

    private TrialSpans() {}

    static List<EndedSpan> of(Trial trial) {
        EndedSpan whole = new EndedSpan(
                "trial",
                EndedSpan.context(trial.job(), "trial", trial.id()),
                EndedSpan.context(trial.job(), "study", trial.study()),
                trial.start(),
                trial.end(),
                kernel(trial)
                        .put("tilewright.trial.id", trial.id().toString())
                        .put("tilewright.study.id", trial.study().toString())
                        .put("tilewright.job.id", trial.job().toString())
                        .put("tilewright.trial.ordinal", trial.ordinal())
                        .put("tilewright.outcome", trial.outcome())
                        .put("tilewright.device", trial.testbed())
                        .put("tilewright.testbed.kind", trial.kind())
                        .build(),
                status(trial));
        List<EndedSpan> spans = new ArrayList<>(List.of(whole));
        for (Attempt attempt : trial.attempts()) {
            boolean reported = attempt.ending().equals("reported");
            EndedSpan lease = lease(whole, attempt, reported ? gpu(trial) : Attributes.empty());
            spans.add(lease);
            if (reported) {
                phases(spans, lease, attempt, trial);
            }
        }
        return spans;
    }

    /** The span of a lease. */
    static EndedSpan lease(EndedSpan work, Attempt attempt, Attributes more) {
        AttributesBuilder attributes = more.toBuilder()
                .put("tilewright.lease.id", attempt.lease().toString())
                .put("tilewright.device.label", attempt.device())
                .put("tilewright.ending", attempt.ending());
        if (attempt.host() != null) {
            attributes.put("host.name", attempt.host());
        }
        boolean lost = attempt.ending().equals("expired") || attempt.ending().equals("undelivered");
        return work.child(
                "lease",
                "lease",
                attempt.lease(),
                attempt.start(),
                attempt.end(),
                attributes.build(),
                lost ? StatusData.create(StatusCode.ERROR, "the worker was not heard") : StatusData.unset());
    }

    private static AttributesBuilder kernel(Trial trial) {
        AttributesBuilder attributes = Attributes.builder()
                .put("tilewright.family", trial.family())
                .put("tilewright.config", trial.config().canonical());
        return trial.ptxHash() == null ? attributes : attributes.put("tilewright.ptx.sha256", trial.ptxHash());
    }

    private static StatusData status(Trial trial) {
        return NO_ERROR.contains(trial.outcome())
                ? StatusData.unset()
                : StatusData.create(
                        StatusCode.ERROR, trial.log().lines().findFirst().orElse(trial.outcome()));
    }

    /** Work of the GPU meanwhile, which is no phase of the host. */
    private static Attributes gpu(Trial trial) {
        AttributesBuilder attributes = Attributes.builder();
        trial.timesNs().forEach((name, ns) -> {
            if (GpuTime.isOfGpu(name)) {
                attributes.put("tilewright.seconds." + name, ns / 1e9);
            }
        });
        return attributes.build();
    }

    private static void phases(List<EndedSpan> spans, EndedSpan lease, Attempt attempt, Trial trial) {
        Instant host = lease.start();
        for (String name : OF_THE_HOST) {
            long ns = trial.timesNs().getOrDefault(name, 0L);
            if (ns > 0) {
                spans.add(phase(lease, attempt, name, host, ns));
                host = host.plusNanos(ns);
            }
        }
        List<String> onDevice = Stream.concat(
                        OF_THE_DEVICE.stream().filter(trial.timesNs()::containsKey),
                        trial.timesNs().keySet().stream()
                                .filter(name -> !OF_THE_HOST.contains(name)
                                        && !OF_THE_DEVICE.contains(name)
                                        && !GpuTime.isOfGpu(name))
                                .sorted())
                .toList();
        long all = onDevice.stream().mapToLong(trial.timesNs()::get).sum();
        Instant device = lease.end().minusNanos(all);
        for (String name : onDevice) {
            long ns = trial.timesNs().get(name);
            EndedSpan phase = phase(lease, attempt, name, device, ns);
            spans.add(phase);
            if (name.equals(MEASURE) && trial.kind().equals(TestbedKind.CUDA.toString())) {
                launches(spans, phase, attempt, trial);
            }
            device = device.plusNanos(ns);
        }
    }

    private static EndedSpan phase(EndedSpan lease, Attempt attempt, String name, Instant from, long ns) {
        return lease.child(
                name, name, attempt.lease(), from, from.plusNanos(ns), Attributes.empty(), StatusData.unset());
    }

    private static void launches(List<EndedSpan> spans, EndedSpan measure, Attempt attempt, Trial trial) {
        Instant from = measure.start();
        for (Launches timed : trial.timed()) {
            Instant to = from.plusNanos(Math.round(timed.launches() * timed.medianNs()));
            AttributesBuilder attributes = kernel(trial)
                    .put("tilewright.mode", timed.mode())
                    .put("tilewright.launches", timed.launches())
                    .put("tilewright.launch.median_seconds", timed.medianNs() / 1e9);
            if (timed.clockMhz() != null) {
                attributes.put("tilewright.sm_clock_hertz", timed.clockMhz() * 1e6);
            }
            spans.add(measure.child(
                    "kernel " + trial.family(),
                    "kernel " + timed.mode(),
                    attempt.lease(),
                    from,
                    to,
                    attributes.build(),
                    StatusData.unset()));
            from = to;
        }
    }
}
