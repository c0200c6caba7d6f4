package dev.tilewright.emulator.hazard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class AcceptedRulesTest {
    @Test
    void rulesAndTheGroup() {
        assertThat(AcceptedRules.named(List.of())).isEmpty();
        assertThat(AcceptedRules.named(List.of("cluster-scope", "arrival-at-exit")))
                .containsExactlyInAnyOrder(Rule.CLUSTER_SCOPE, Rule.ARRIVAL_AT_EXIT);
        assertThat(AcceptedRules.named(List.of("vendor-idioms")))
                .contains(Rule.CLUSTER_SCOPE, Rule.TCGEN05_AFTER_SYNC)
                .doesNotContain(Rule.ARRIVAL_AT_EXIT)
                .allMatch(Rule::acceptable);
    }

    @Test
    void anUnknownName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AcceptedRules.named(List.of("cluster_scope")))
                .withMessageContaining("no rule 'cluster_scope', the nearest is 'cluster-scope'")
                .withMessageContaining("what can be accepted: vendor-idioms, tcgen05-after-sync");
    }

    @Test
    void aRuleThatEndsARun() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AcceptedRules.named(List.of("deadlock")))
                .withMessageContaining("'deadlock' ends a run and cannot be accepted");
    }

    @Test
    void namesAreKebabCaseAndFound() {
        for (Rule rule : Rule.values()) {
            assertThat(rule.text()).matches("[a-z0-9]+(-[a-z0-9]+)*");
            assertThat(Rule.named(rule.text())).contains(rule);
        }
    }
}
