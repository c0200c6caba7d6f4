package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.exchange.StudyDocument.PeerDocument;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.family.VendorFamily;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The peers of a study by their families, in the order of the document. */
record PeerFamilies(StudyResult study) {

    private Map<String, List<PeerDocument>> families() {
        return study.document().peers().stream()
                .collect(Collectors.groupingBy(PeerDocument::family, LinkedHashMap::new, Collectors.toList()));
    }

    /** Families with kernels in the final, without the vendor's. */
    List<String> names() {
        return families().keySet().stream()
                .filter(family -> !family.equals(VendorFamily.NAME))
                .filter(family -> fastest(family).isPresent())
                .toList();
    }

    /** The kernel of a family that is fastest beside ours; empty if none was in the final. */
    Optional<PeerDocument> fastest(String family) {
        return families().getOrDefault(family, List.of()).stream()
                .filter(peer -> peer.ratio() != null)
                .min(Comparator.comparingDouble(PeerDocument::ratio));
    }

    /** How much faster ours is than the fastest of a family, and which that is. */
    String cell(String family) {
        return fastest(family)
                .map(peer -> (Leaderboard.ratio(peer.ratio(), peer.ratioCi()) + " "
                                + peer.name().substring(family.length()).strip())
                        .strip())
                .orElse("-");
    }

    /** Lines beside the best peer: the fastest kernel of each other family, or that it has none. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        families().forEach((family, peers) -> {
            Optional<PeerDocument> fastest = fastest(family);
            boolean isSaid = peers.stream()
                            .anyMatch(
                                    peer -> peer.name().equals(study.document().bestPeer()))
                    || fastest.filter(
                                    peer -> peer.ratio().equals(study.document().ratioToDefault()))
                            .isPresent();
            if (fastest.isPresent() && !isSaid) {
                lines.add("speed over " + fastest.get().name() + ": "
                        + Leaderboard.ratio(fastest.get().ratio(), fastest.get().ratioCi()));
            } else if (peers.stream().noneMatch(peer -> peer.outcome() == TrialOutcome.COMPLETED)) {
                lines.add("no kernel of " + family + " is a peer: " + outcomes(peers));
            }
        });
        return lines;
    }

    private static String outcomes(List<PeerDocument> peers) {
        return peers.stream()
                .collect(Collectors.groupingBy(
                        peer -> String.valueOf(peer.outcome()), TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(outcome -> outcome.getKey() + " " + outcome.getValue())
                .collect(Collectors.joining(", "));
    }
}
