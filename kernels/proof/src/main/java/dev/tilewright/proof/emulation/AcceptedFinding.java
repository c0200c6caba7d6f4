package dev.tilewright.proof.emulation;

import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.model.text.Count;
import java.util.ArrayList;
import java.util.List;

/**
 * Something that breaks a rule and that the user lets pass, or of which the rule only warns.
 *
 * @param seed the first that showed it
 */
public record AcceptedFinding(long seed, Finding finding) {

    /** How the line of one begins. */
    private static final String PREFIX = "accepted: ";

    /** How the line of a warning begins. */
    private static final String WARNING = "warning: ";

    /** How many there are, to follow a verdict: {@code ", 2 accepted, 1 warning"}, or nothing. */
    public static String count(List<AcceptedFinding> all) {
        long warnings = all.stream().filter(each -> each.finding.rule().warns()).count();
        long accepted = all.size() - warnings;
        return (accepted == 0 ? "" : ", " + accepted + " accepted")
                + (warnings == 0 ? "" : ", " + Count.of(warnings, "warning"));
    }

    /** Whether a line tells of one. */
    public static boolean isLine(String line) {
        return line.startsWith(PREFIX) || line.startsWith(WARNING);
    }

    /** For people: rule, line of the text, seed and message. */
    public String line() {
        return at("line " + finding.site().line());
    }

    /** The same, where the site has a name. */
    public String at(String site) {
        return (finding.rule().warns() ? WARNING : PREFIX) + finding.rule().text() + " at " + site + ", seed " + seed
                + ": " + finding.hazard().message();
    }

    /** The known findings, and the new ones of another run: the first of each rule and instruction. */
    public static List<AcceptedFinding> with(List<AcceptedFinding> known, long seed, List<Finding> more) {
        List<AcceptedFinding> all = new ArrayList<>(known);
        for (Finding finding : more) {
            if (all.stream().noneMatch(other -> other.isLike(finding))) {
                all.add(new AcceptedFinding(seed, finding));
            }
        }
        return List.copyOf(all);
    }

    private boolean isLike(Finding other) {
        return finding.rule() == other.rule()
                && finding.site().statement() == other.site().statement();
    }
}
