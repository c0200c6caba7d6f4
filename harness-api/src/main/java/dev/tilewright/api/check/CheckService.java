package dev.tilewright.api.check;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.model.exchange.KernelCheck;
import dev.tilewright.model.trial.Checked;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Keeps what is settled about kernel texts. */
@Service
public class CheckService {

    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");

    private final CheckRepository checks;
    private final Clock clock;

    CheckService(CheckRepository checks, Clock clock) {
        this.checks = checks;
        this.clock = clock;
    }

    /**
     * Keeps what a worker reported of the text of a trial of its own, if it settles something and was not known before;
     * a refutation outlives every proof.
     */
    public void keep(String ptxHash, UUID workerId, Checked checked) {
        if (checked.verdict().isConclusive() && !checked.cached()) {
            checks.keep(ptxHash, workerId, checked, clock.instant());
        }
    }

    /**
     * The checks of a text.
     *
     * @param emulator build of the emulator; {@code null} for all
     * @throws ApiProblem 400 if a hash is none, 404 if nothing is known
     */
    @Transactional(readOnly = true)
    KernelCheck.Known known(String ptxHash, @Nullable String emulator) {
        requireHash("ptxHash", ptxHash);
        if (emulator != null) {
            requireHash("emulator", emulator);
        }
        List<KernelCheck> known = checks.of(ptxHash, emulator);
        if (known.isEmpty()) {
            throw ApiProblem.notFound("check of the kernel text", ptxHash);
        }
        return new KernelCheck.Known(ptxHash, known);
    }

    private static void requireHash(String name, String text) {
        if (!SHA_256.matcher(text).matches()) {
            throw ApiProblem.malformed(name, "must be 64 hexadecimal digits in lower case, got '" + text + "'");
        }
    }
}
