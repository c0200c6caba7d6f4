package dev.tilewright.api.job;

import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.api.search.Strategies;
import dev.tilewright.api.study.EmptySpace;
import dev.tilewright.api.study.JobOptions;
import dev.tilewright.api.study.SpaceRestriction;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.Budget;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.JobRequest;
import dev.tilewright.model.exchange.PeerSearch;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.range.TableSize;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.simulator.Simulator;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.parameter.Scheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Checks a submission in full: whatever could be refused later is refused here, all of it at once. */
@Service
class JobReader {

    private static final String STRATEGY = "model";
    /** A sweep of proofs has no times to find the best of: it wants variety. */
    private static final String PROOF_STRATEGY = "random";

    private static final String DEFAULT_SPACE = "default";
    private static final String FULL_SPACE = "full";
    /** The race decides who is best; more that reach the final share its error and take its time. */
    private static final int FINALISTS = 1;

    /** As many as race for the final at the most. */
    private static final int MOST_FINALISTS = 16;

    private static final int MOST_TRIALS = 100_000;
    private static final int MOST_SECONDS = 30 * 24 * 3600;

    /** Empty spaces whose rules are named: each needs its tree. */
    private static final int MOST_EXPLAINED = 4;

    private final StudySpaces spaces;
    private final FamilyChoice choice;
    private final PeerReader peerReader;
    private final Strategies strategies;
    private final WorkerService workers;
    private final ServiceSettings settings;

    JobReader(
            StudySpaces spaces,
            FamilyChoice choice,
            PeerReader peerReader,
            Strategies strategies,
            WorkerService workers,
            ServiceSettings settings) {
        this.spaces = spaces;
        this.choice = choice;
        this.peerReader = peerReader;
        this.strategies = strategies;
        this.workers = workers;
        this.settings = settings;
    }

    /**
     * The job with its defaults.
     *
     * @throws ApiProblem 422 with everything that is wrong
     */
    JobSpec read(JobRequest request) {
        List<Fault> faults = new ArrayList<>();
        AskedProblems asked = AskedProblems.read(request, faults);
        List<Problem> problems = asked.problems();
        String wished = request.strategy();
        if (wished != null && !strategies.names().contains(wished)) {
            faults.add(new Fault(
                    "/strategy", "unknown strategy '" + wished + "'; known: " + String.join(", ", strategies.names())));
        }
        boolean eachScheduler = Boolean.TRUE.equals(request.eachScheduler());
        Budget budget = budget(request.budget(), eachScheduler ? MOST_FINALISTS : FINALISTS, faults);
        Optional<DeviceSelector> device = device(Objects.requireNonNullElse(request.device(), "auto"), faults);
        boolean proofs = device.isPresent() && device.get() instanceof DeviceSelector.Emulated;
        String strategy = Objects.requireNonNullElse(wished, proofs ? PROOF_STRATEGY : STRATEGY);
        String name = Objects.requireNonNullElse(request.name(), "");
        if (name.length() > JobService.LONGEST_NAME) {
            faults.add(new Fault(
                    "/name", "must have at most " + JobService.LONGEST_NAME + " characters, got " + name.length()));
        }
        double peerBudget = Objects.requireNonNullElse(request.peerBudget(), PeerSearch.DEFAULT_SECONDS);
        if (!PeerSearch.isBudget(peerBudget)) {
            faults.add(new Fault("/peerBudget", PeerSearch.limits(peerBudget)));
        }
        int kernels = Objects.requireNonNullElse(request.kernels(), TableSize.USUAL);
        TableSize.fault(kernels).ifPresent(fault -> faults.add(new Fault("/kernels", fault)));
        AskedConfig config = AskedConfig.of(spaces, request, faults);
        Optional<FamilySpace> family = choice.of(config.family(), device, faults);
        SpaceRestriction restriction = restriction(request, faults);
        Optional<Integer> smCount = device.map(this::smCount);
        smCount.ifPresent(count -> room(asked.ends(), count, faults));
        asked.refuseWithRanges(request, device, faults);
        List<String> peers = new ArrayList<>();
        boolean check = settings.check() || Boolean.TRUE.equals(request.check());
        if (check && family.filter(FamilySpace::isInstalled).isPresent()) {
            faults.add(new Fault(
                    "/check",
                    FamilySpace.noText(family.get().family()) + ": they cannot be proved"
                            + (settings.check() ? ", and this service runs no kernel that is not" : "")));
        }
        if (family.isPresent() && faults.isEmpty()) {
            asked.ends().forEach(end -> refusal(family.get(), end, faults));
            if (faults.isEmpty() && smCount.isPresent()) {
                if (eachScheduler) {
                    comparable(asked, family.get(), device.get(), smCount.get(), faults);
                }
                asked.wholes().forEach(whole -> known(family.get(), whole.value(), smCount.get(), request, faults));
                restriction = config.restricting(restriction, family.get(), asked.naming(), smCount.get(), faults);
                peers.addAll(peerReader.read(
                        Objects.requireNonNullElse(request.peers(), List.of()),
                        new PeerReader.Beside(family.get(), problems, device.get(), budget.finalists(), smCount.get()),
                        faults));
            }
        }
        if (!faults.isEmpty() || family.isEmpty() || device.isEmpty() || smCount.isEmpty()) {
            throw ApiProblem.invalid(faults);
        }
        JobSpec job = new JobSpec(
                name,
                problems,
                asked.ranged(),
                family.get().maker(),
                new JobOptions(
                        family.get().family(),
                        restriction,
                        strategy,
                        budget,
                        Objects.requireNonNullElse(request.seed(), Simulator.USUAL_SEED),
                        device.get().toString(),
                        check,
                        peers,
                        peerBudget,
                        List.of(),
                        eachScheduler,
                        kernels));
        refuseEmptySpaces(asked.wholes(), job.options(), smCount.get());
        return job;
    }

    private static Budget budget(JobRequest.@Nullable BudgetRequest request, int usualFinalists, List<Fault> faults) {
        Integer trials = request == null ? null : request.trials();
        Integer seconds = request == null ? null : request.seconds();
        if (trials != null && (trials < 1 || trials > MOST_TRIALS)) {
            faults.add(new Fault("/budget/trials", "must be from 1 to " + MOST_TRIALS + ", got " + trials));
        }
        if (seconds != null && (seconds < 1 || seconds > MOST_SECONDS)) {
            faults.add(new Fault("/budget/seconds", "must be from 1 to " + MOST_SECONDS + ", got " + seconds));
        }
        int finalists = request == null || request.finalists() == null ? usualFinalists : request.finalists();
        if (finalists < 0 || finalists > MOST_FINALISTS) {
            faults.add(new Fault("/budget/finalists", "must be from 0 to " + MOST_FINALISTS + ", got " + finalists));
        }
        return new Budget(trials, seconds, finalists);
    }

    private static Optional<DeviceSelector> device(String text, List<Fault> faults) {
        try {
            return Optional.of(DeviceSelector.parse(text));
        } catch (IllegalArgumentException e) {
            faults.add(new Fault("/device", String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    private static SpaceRestriction restriction(JobRequest request, List<Fault> faults) {
        String extent = Objects.requireNonNullElse(request.space(), DEFAULT_SPACE);
        boolean full = extent.equals(FULL_SPACE);
        if (!full && !extent.equals(DEFAULT_SPACE)) {
            faults.add(new Fault(
                    "/space", "must be one of [" + DEFAULT_SPACE + ", " + FULL_SPACE + "], got '" + extent + "'"));
        }
        Map<String, List<ParameterValue>> values =
                new LinkedHashMap<>(Objects.requireNonNullElse(request.parameters(), Map.of()));
        values.forEach((name, wanted) -> {
            if (wanted.isEmpty()) {
                faults.add(new Fault("/parameters/" + name, "must have at least one value"));
            }
            if (wanted.stream().distinct().count() < wanted.size()) {
                faults.add(new Fault("/parameters/" + name, "lists a value twice: " + wanted));
            }
        });
        List<String> schedulers = request.schedulers();
        if (schedulers != null && !schedulers.isEmpty()) {
            if (values.containsKey(Scheduler.KEY.name())) {
                faults.add(new Fault("/schedulers", "give either schedulers or parameters.scheduler"));
            }
            if (schedulers.stream().anyMatch(String::isBlank)
                    || schedulers.stream().distinct().count() < schedulers.size()) {
                faults.add(new Fault("/schedulers", "must be names, each once, got " + schedulers));
                return SpaceRestriction.NONE;
            }
            values.put(
                    Scheduler.KEY.name(),
                    schedulers.stream().map(ParameterValue::of).toList());
        }
        return new SpaceRestriction(values, full);
    }

    private static void refusal(FamilySpace family, AskedProblems.Pointed<Problem> problem, List<Fault> faults) {
        family.refusal(problem.value()).ifPresent(reason -> addOnce(faults, new Fault(problem.pointer(), reason)));
    }

    /** Somebody else may hold SMs, but not all. */
    private static void room(List<AskedProblems.Pointed<Problem>> problems, int smCount, List<Fault> faults) {
        for (AskedProblems.Pointed<Problem> problem : problems) {
            int busySms = problem.value().scenario().busySms();
            if (busySms >= smCount) {
                addOnce(
                        faults,
                        new Fault(
                                problem.pointer() + "/scenario/busySms",
                                "must be at most " + (smCount - 1) + ", one less than the " + smCount
                                        + " SMs of the device, got " + busySms));
            }
        }
    }

    /** Parameters and values that the family does not have for a problem and a device of this size. */
    private void known(FamilySpace family, Problem problem, int smCount, JobRequest request, List<Fault> faults) {
        SearchSpace space = spaces.whole(problem, family.family(), smCount);
        Map<String, List<ParameterValue>> wanted =
                new LinkedHashMap<>(Objects.requireNonNullElse(request.parameters(), Map.of()));
        Map<String, String> pointers = new HashMap<>();
        wanted.keySet().forEach(name -> pointers.put(name, "/parameters/" + name));
        List<String> schedulers = request.schedulers();
        if (schedulers != null) {
            wanted.put(
                    Scheduler.KEY.name(),
                    schedulers.stream().map(ParameterValue::of).toList());
            pointers.put(Scheduler.KEY.name(), "/schedulers");
        }
        String ofWhich = request.problems().size() == 1 ? "" : " for " + problem.shapes();
        wanted.forEach((name, values) -> {
            String pointer = pointers.get(name);
            Optional<Parameter> parameter = space.parameters().stream()
                    .filter(own -> own.name().equals(name))
                    .findFirst();
            if (parameter.isEmpty()) {
                addOnce(faults, new Fault(pointer, unknown(family, name, space)));
            }
            parameter.ifPresent(own -> {
                for (int i = 0; i < values.size(); i++) {
                    ParameterValue value = values.get(i);
                    if (!own.values().contains(value)) {
                        String elsewhere = elsewhere(family, name, value, problem, DeviceLimits.of(smCount));
                        addOnce(faults, new Fault(pointer + "/" + i, unknown(own, value, ofWhich, elsewhere)));
                    }
                }
            });
        });
    }

    /** Each tile scheduler can be tuned on its own where there are some, by times. */
    private void comparable(
            AskedProblems asked, FamilySpace family, DeviceSelector device, int smCount, List<Fault> faults) {
        boolean has = asked.wholes().stream()
                .allMatch(whole -> spaces.whole(whole.value(), family.family(), smCount).parameters().stream()
                        .anyMatch(own -> own.name().equals(Scheduler.KEY.name())));
        if (!has) {
            faults.add(new Fault("/eachScheduler", "family " + family.family() + " names no tile schedulers"));
        }
        if (device instanceof DeviceSelector.Emulated) {
            faults.add(new Fault("/eachScheduler", device + " proves kernels without times"));
        }
    }

    /** Adds a fault once, even if several problems of a job share it. */
    private static void addOnce(List<Fault> faults, Fault fault) {
        if (faults.stream().noneMatch(known -> known.pointer().equals(fault.pointer()))) {
            faults.add(fault);
        }
    }

    private static String unknown(FamilySpace family, String parameter, SearchSpace space) {
        return "family " + family.family() + " has no parameter '" + parameter + "'; known: "
                + space.parameters().stream().map(Parameter::name).collect(Collectors.joining(", "));
    }

    private static String unknown(Parameter parameter, ParameterValue value, String ofWhich, String elsewhere) {
        return "parameter '" + parameter.name() + "' has no value " + value + ofWhich + "; known: "
                + parameter.known()
                + elsewhere;
    }

    /** Other families that have the value, such as clc, which only Blackwell has. */
    private String elsewhere(
            FamilySpace family, String parameter, ParameterValue value, Problem problem, DeviceLimits limits) {
        String others = spaces.families().all().stream()
                .filter(other -> !other.family().equals(family.family()))
                .filter(other -> other.refusal(problem).isEmpty())
                .filter(other -> other.space(problem, limits).parameters().stream()
                        .anyMatch(own ->
                                own.name().equals(parameter) && own.values().contains(value)))
                .map(FamilySpace::family)
                .collect(Collectors.joining(", "));
        return others.isEmpty() ? "" : "; family " + others + " has it";
    }

    private int smCount(DeviceSelector device) {
        if (device instanceof DeviceSelector.Emulated(int sms)) {
            return sms;
        }
        return workers.takers(device).stream()
                .map(offer -> offer.testbed().smCount())
                .findFirst()
                .orElse(StudySpaces.USUAL_SMS);
    }

    /** Only what a user restricts can be empty: the whole space of a problem that its family takes is not. */
    private void refuseEmptySpaces(List<AskedProblems.Pointed<Problem>> problems, JobOptions options, int smCount) {
        if (options.restriction().namesNothing()) {
            return;
        }
        List<Fault> faults = new ArrayList<>();
        int explained = 0;
        for (AskedProblems.Pointed<Problem> asked : problems) {
            Problem problem = asked.value();
            if (!spaces.restricted(problem, options.family(), options.restriction(), smCount)
                    .isEmpty()) {
                continue;
            }
            if (explained++ < MOST_EXPLAINED) {
                EmptySpace.lines(spaces.tree(problem, options.family(), options.restriction(), smCount))
                        .forEach(line -> faults.add(new Fault(asked.pointer(), line)));
            } else {
                faults.add(new Fault(asked.pointer(), "no config keeps every rule"));
            }
        }
        if (!faults.isEmpty()) {
            throw new ApiProblem(
                    ProblemType.EMPTY_SPACE,
                    "the search space is empty after its constraints; "
                            + faults.getFirst().detail(),
                    faults);
        }
    }
}
