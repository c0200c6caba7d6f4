package dev.tilewright.api.gate;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.gate.document.GateName;
import dev.tilewright.gate.document.GateRequest;
import dev.tilewright.gate.document.Retune;
import dev.tilewright.model.exchange.DeviceSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Checks what a run is asked for in full: whatever could be refused later is refused here, all of it at once. */
@Service
record GateReader(CaseReader cases) {

    private static final int MOST_CASES = 500;
    private static final int LONGEST_TEXT = 200;
    private static final double MOST_SECONDS = 24 * 3600;
    /** So that it is a whole number for whoever reads JSON as doubles. */
    private static final long SEEDS = 1L << 53;

    /**
     * The run with its defaults.
     *
     * @throws ApiProblem 422 with everything that is wrong
     */
    AskedRun read(String gate, GateRequest request) {
        List<Fault> faults = new ArrayList<>();
        GateName.violation(gate).ifPresent(rule -> faults.add(new Fault("name", rule)));
        text("/commit", request.commit(), faults);
        text("/branch", request.branch(), faults);
        Optional<DeviceSelector> device = device(Objects.requireNonNullElse(request.device(), "auto"), faults);
        Double budget = request.budgetSeconds();
        if (budget != null && !(budget > 0 && budget <= MOST_SECONDS)) {
            faults.add(new Fault("/budgetSeconds", "must be above 0 and at most " + MOST_SECONDS + ", got " + budget));
        }
        Integer retune = request.retuneSeconds();
        if (retune != null && (retune < Retune.LEAST_SECONDS || retune > Retune.MOST_SECONDS)) {
            faults.add(new Fault(
                    "/retuneSeconds",
                    "must be from " + Retune.LEAST_SECONDS + " to " + Retune.MOST_SECONDS + ", got " + retune));
        }
        if (request.cases().isEmpty() || request.cases().size() > MOST_CASES) {
            faults.add(new Fault(
                    "/cases",
                    "must have from 1 to " + MOST_CASES + " cases, got "
                            + request.cases().size()));
        }
        List<CaseSpec> read = new ArrayList<>();
        Map<String, Integer> names = new HashMap<>();
        for (int i = 0; i < request.cases().size() && i < MOST_CASES; i++) {
            GateRequest.Case asked = request.cases().get(i);
            String pointer = "/cases/" + i;
            text(pointer + "/name", asked.name(), faults);
            Integer first = names.putIfAbsent(asked.name(), i);
            if (first != null) {
                faults.add(new Fault(
                        pointer + "/name", "'" + asked.name() + "' is the name of /cases/" + first + ", too"));
            }
            cases.read(gate, pointer, asked, device, faults).ifPresent(read::add);
        }
        if (!faults.isEmpty() || device.isEmpty()) {
            throw ApiProblem.invalid(faults);
        }
        return new AskedRun(
                request.commit(),
                request.branch(),
                device.get(),
                read,
                budget,
                retune,
                Objects.requireNonNullElseGet(
                        request.seed(), () -> ThreadLocalRandom.current().nextLong(SEEDS)));
    }

    /** A text that people read in one line; {@code null} is none. */
    static void text(String pointer, @Nullable String text, List<Fault> faults) {
        if (text != null
                && (text.isBlank()
                        || text.length() > LONGEST_TEXT
                        || text.chars().anyMatch(Character::isISOControl))) {
            faults.add(new Fault(
                    pointer,
                    "must have 1 to " + LONGEST_TEXT + " characters, not all blank, none of control, got '" + text
                            + "'"));
        }
    }

    private static Optional<DeviceSelector> device(String text, List<Fault> faults) {
        try {
            DeviceSelector device = DeviceSelector.parse(text);
            if (device instanceof DeviceSelector.Emulated) {
                faults.add(new Fault(
                        "/device",
                        "must be a GPU, such as cuda:0, or auto: a gate times kernels, and proves them by itself, got '"
                                + text + "'"));
            }
            return Optional.of(device);
        } catch (IllegalArgumentException unknown) {
            faults.add(new Fault("/device", String.valueOf(unknown.getMessage())));
            return Optional.empty();
        }
    }
}
