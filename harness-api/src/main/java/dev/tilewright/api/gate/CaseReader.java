package dev.tilewright.api.gate;

import dev.tilewright.api.asked.AskedKernels;
import dev.tilewright.api.asked.KernelRequest;
import dev.tilewright.api.best.BestKnown;
import dev.tilewright.api.job.ProblemReader;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.gate.document.GateRequest;
import dev.tilewright.gate.document.Margins;
import dev.tilewright.model.exchange.ConfigRequest;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Reads one case: what it names by a run, the last pass or the best becomes a kernel. */
@Service
record CaseReader(AskedKernels kernels, BestKnown best, GateRunRepository runs, GateCaseRepository cases) {

    private static final double MOST_WEIGHT = 1e6;

    /**
     * The case; empty if something is wrong with it, which is among the faults then.
     *
     * @param device empty if it could not be read
     */
    Optional<CaseSpec> read(
            String gate, String pointer, GateRequest.Case asked, Optional<DeviceSelector> device, List<Fault> faults) {
        int before = faults.size();
        double weight = Objects.requireNonNullElse(asked.weight(), 1.0);
        if (!(weight > 0 && weight <= MOST_WEIGHT)) {
            faults.add(
                    new Fault(pointer + "/weight", "must be above 0 and at most " + MOST_WEIGHT + ", got " + weight));
        }
        GateReader.text(pointer + "/source", asked.source(), faults);
        List<String> accept = Objects.requireNonNullElse(asked.accept(), List.of());
        for (int i = 0; i < accept.size(); i++) {
            GateReader.text(pointer + "/accept/" + i, accept.get(i), faults);
        }
        Optional<Problem> problem = new ProblemReader(faults).read(asked.problem(), pointer + "/problem");
        Optional<GateKernel> candidate =
                problem.flatMap(known -> kernel(pointer + "/candidate", asked.candidate(), known, device, faults));
        Optional<GateKernel> baseline = problem.flatMap(known -> baseline(gate, pointer, asked, known, device, faults));
        if (candidate.isEmpty() || baseline.isEmpty()) {
            return Optional.empty();
        }
        String field = pointer + "/baseline" + (asked.baseline().kernel() == null ? "" : "/kernel");
        List<GpuTask.Side> sides = sides(
                pointer,
                problem.get(),
                device,
                List.of(
                        new AskedKernels.KernelAt(pointer + "/candidate", request(candidate.get())),
                        new AskedKernels.KernelAt(field, request(baseline.get()))),
                faults);
        return faults.size() > before
                ? Optional.empty()
                : Optional.of(new CaseSpec(
                        asked.name(),
                        ProblemDocument.of(problem.get()),
                        whole(sides.getFirst()),
                        whole(sides.getLast()),
                        Objects.requireNonNullElse(asked.margins(), Margins.STANDARD),
                        weight,
                        accept,
                        asked.source()));
    }

    /** Everything that a worker would refuse is refused here. */
    private List<GpuTask.Side> sides(
            String pointer,
            Problem problem,
            Optional<DeviceSelector> device,
            List<AskedKernels.KernelAt> asks,
            List<Fault> faults) {
        // A model measures nothing, so whatever a GPU takes is taken.
        String real = device.filter(selector -> !(selector instanceof DeviceSelector.OnCpu))
                .map(DeviceSelector::toString)
                .orElse("auto");
        try {
            return kernels.read(ProblemDocument.inShort(problem), real, asks, new ArrayList<>())
                    .sides();
        } catch (ApiProblem wrong) {
            wrong.faults().stream()
                    .map(fault -> fault.pointer().startsWith(pointer)
                            ? fault
                            : new Fault(pointer + fault.pointer(), fault.detail()))
                    .forEach(faults::add);
            return List.of();
        }
    }

    private static KernelRequest request(GateKernel kernel) {
        return new KernelRequest(
                kernel.family(), kernel.config(), kernel.trial(), kernel.peer(), kernel.algorithm(), null, null);
    }

    /** A kernel with the version of its family. */
    private static GateKernel whole(GpuTask.Side side) {
        return switch (side) {
            case GpuTask.Side.Own own ->
                new GateKernel(own.family(), ConfigRequest.of(own.config()), null, null, null, null);
            case GpuTask.Side.OfPeer(String peer, String algorithm) ->
                new GateKernel(null, null, null, peer, algorithm, null);
        };
    }

    private Optional<GateKernel> baseline(
            String gate,
            String pointer,
            GateRequest.Case asked,
            Problem problem,
            Optional<DeviceSelector> device,
            List<Fault> faults) {
        GateRequest.Baseline baseline = asked.baseline();
        String field = pointer + "/baseline";
        long given = Stream.of(baseline.kernel(), baseline.run(), baseline.lastPass())
                .filter(Objects::nonNull)
                .count();
        if (given != 1) {
            faults.add(new Fault(field, "give one of kernel, run and lastPass, got " + given));
            return Optional.empty();
        }
        if (baseline.kernel() != null) {
            return kernel(field + "/kernel", baseline.kernel(), problem, device, faults);
        }
        return baseline.run() != null
                ? ofRun(field + "/run", baseline.run(), asked.name(), faults)
                : ofLastPass(gate, field + "/lastPass", Objects.requireNonNull(baseline.lastPass()), asked, faults);
    }

    private Optional<GateKernel> ofRun(String field, UUID run, String caseName, List<Fault> faults) {
        if (runs.find(run).isEmpty()) {
            faults.add(new Fault(field, "there is no run " + run));
            return Optional.empty();
        }
        Optional<GateKernel> candidate = candidate(run, caseName);
        if (candidate.isEmpty()) {
            faults.add(new Fault(field, "run " + run + " has no case '" + caseName + "'"));
        }
        return candidate;
    }

    private Optional<GateKernel> ofLastPass(
            String gate, String field, String branch, GateRequest.Case asked, List<Fault> faults) {
        Optional<GateKernel> candidate =
                runs.lastPass(gate, branch, asked.name()).flatMap(run -> candidate(run, asked.name()));
        if (candidate.isEmpty()) {
            faults.add(new Fault(
                    field,
                    "no run of gate '" + gate + "' on branch '" + branch + "' has passed with a case '" + asked.name()
                            + "': run it there with another baseline first"));
        }
        return candidate;
    }

    private Optional<GateKernel> candidate(UUID run, String caseName) {
        return cases.of(run).stream()
                .filter(each -> each.sentinel() == null && each.spec().name().equals(caseName))
                .findFirst()
                .map(each -> each.spec().candidate());
    }

    /** Says which config is the best one; everything else of a kernel is checked with the other one of its case. */
    private Optional<GateKernel> kernel(
            String field, GateKernel kernel, Problem problem, Optional<DeviceSelector> device, List<Fault> faults) {
        if (kernel.best() == null) {
            return Optional.of(kernel);
        }
        if (!kernel.best()
                || Stream.of(kernel.config(), kernel.trial(), kernel.peer()).anyMatch(Objects::nonNull)) {
            faults.add(new Fault(field, "give one of config, trial, peer and best: true"));
            return Optional.empty();
        }
        return best(field, kernel.family(), problem, device, faults);
    }

    private Optional<GateKernel> best(
            String field,
            @Nullable String family,
            Problem problem,
            Optional<DeviceSelector> device,
            List<Fault> faults) {
        Optional<BestKnown.Winner> known = device.flatMap(selector -> best.forDevice(problem, family, selector));
        if (known.isEmpty()) {
            faults.add(new Fault(
                    field + "/best",
                    "no best config of " + ProblemDocument.of(problem) + " is known"
                            + (family == null ? "" : " of family " + family)
                            + device.map(selector -> " for device " + selector).orElse("") + ": tune it first"));
        }
        return known.map(row -> new GateKernel(row.family(), ConfigRequest.of(row.config()), null, null, null, null));
    }
}
