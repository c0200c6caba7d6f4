package dev.tilewright.emulator.hazard;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The findings behind which a run continued: the first of each rule and instruction. */
public final class Findings {
    private record Breach(Rule rule, int statement) {}

    private final Map<Breach, Finding> noted = new LinkedHashMap<>();

    /**
     * A rule is broken.
     *
     * @param statement index of the instruction that breaks it
     * @param found what there is to say; asked for only where it is new
     * @throws HazardFound if no run goes on behind it
     */
    public void report(Rule rule, int statement, Supplier<HazardFound> found) {
        if (rule.ends()) {
            throw found.get();
        }
        noted.computeIfAbsent(new Breach(rule, statement), _ -> {
            HazardFound all = found.get();
            Site site = all.site();
            if (site == null) {
                throw new IllegalStateException("a finding behind which a run goes on has a site: " + all.hazard());
            }
            return new Finding(rule, all.hazard(), site);
        });
    }

    /** Whether that has been noted, so that there is no need to look for it again. */
    public boolean has(Rule rule, int statement) {
        return noted.containsKey(new Breach(rule, statement));
    }

    /** In the order in which they showed, then what ended the run, if anything did. */
    public List<Finding> with(@Nullable Finding last) {
        return Stream.concat(noted.values().stream(), Stream.ofNullable(last)).toList();
    }
}
