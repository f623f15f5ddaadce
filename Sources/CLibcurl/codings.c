#ifdef __linux__

#include "codings.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { BUFFER_BYTES = 16 << 10, BUSY_BYTES = 1 << 20 };

typedef struct {
    SNDecoder decoder;
    SNInput input;
    // Whether the output ended before the decoder did.
    bool is_full;
    bool has_begun;
    // What the decoder before it has made.
    uint8_t *buffer;
} SNStage;

struct SNDecoders {
    size_t count;
    // How much may pass between two stages in this step.
    size_t budget;
    SNStage *broken;
    // The first undoes the coding that was applied last.
    SNStage stages[SN_MOST_CODINGS];
};

void sn_codings_add(SNCodingList *list, const char *name, size_t count) {
    static const char *const identities[] = {"identity", "none"};
    for (size_t i = 0; i < sizeof identities / sizeof *identities; i++) {
        if (strlen(identities[i]) == count && strncasecmp(identities[i], name, count) == 0) return;
    }
    if (!count) return;
    const SNCoding *coding = sn_coding_find(name, count);
    if (!coding) {
        list->is_unknown = true;
        return;
    }
    for (size_t i = 0; i < list->count; i++) list->is_excessive |= coding->has_window && list->items[i]->has_window;
    if (list->count == SN_MOST_CODINGS) list->is_excessive = true;
    else list->items[list->count++] = coding;
}

SNDecoders *sn_decoders_open(const SNCodingList *list) {
    SNDecoders *decoders = calloc(1, sizeof *decoders);
    if (!decoders) return NULL;
    for (; decoders->count < list->count; decoders->count++) {
        SNStage *stage = &decoders->stages[decoders->count];
        const SNCoding *coding = list->items[list->count - 1 - decoders->count];
        stage->decoder.coding = coding;
        if (decoders->count) stage->buffer = malloc(BUFFER_BYTES);
        stage->decoder.is_open = (stage->buffer || !decoders->count) && coding->open(&stage->decoder);
        if (stage->decoder.is_open) continue;
        free(stage->buffer);
        sn_decoders_close(decoders);
        return NULL;
    }
    return decoders;
}

void sn_decoders_close(SNDecoders *decoders) {
    if (!decoders) return;
    for (size_t i = 0; i < decoders->count; i++) {
        SNDecoder *decoder = &decoders->stages[i].decoder;
        decoder->coding->close(decoder);
        free(decoders->stages[i].buffer);
    }
    free(decoders);
}

void sn_decoders_supply(SNDecoders *decoders, const void *bytes, size_t count) {
    decoders->stages[0].input = (SNInput){bytes, count};
}

static SNStep run(SNDecoders *decoders, SNStage *stage, SNOutput *output) {
    size_t input = stage->input.count, made = output->count;
    stage->has_begun |= input > 0;
    SNDecoding decoding = stage->decoder.coding->decode(&stage->decoder, &stage->input, output);
    stage->is_full = output->count == output->capacity;
    bool is_stuck = input && stage->input.count == input && output->count == made;
    if (decoding == SN_DECODED && !is_stuck) return SN_STEP_MADE;
    decoders->broken = stage;
    return decoding == SN_NO_MEMORY ? SN_STEP_NO_MEMORY : SN_STEP_BROKEN;
}

static SNStep make(SNDecoders *decoders, size_t index, SNOutput *output) {
    SNStage *stage = &decoders->stages[index];
    size_t made = output->count;
    for (;;) {
        while (stage->input.count || stage->is_full) {
            SNStep step = run(decoders, stage, output);
            if (step != SN_STEP_MADE || output->count > made) return step;
        }
        if (index == 0) return SN_STEP_STARVED;
        if (!decoders->budget) return SN_STEP_BUSY;
        SNOutput buffer = {stage->buffer, 0, BUFFER_BYTES};
        SNStep step = make(decoders, index - 1, &buffer);
        // A decoder that breaks may have made something before.
        stage->input = (SNInput){buffer.bytes, buffer.count};
        if (step != SN_STEP_MADE) return step;
        decoders->budget -= buffer.count < decoders->budget ? buffer.count : decoders->budget;
    }
}

SNStep sn_decoders_step(SNDecoders *decoders, SNOutput *output) {
    decoders->budget = BUSY_BYTES;
    return make(decoders, decoders->count - 1, output);
}

bool sn_decoders_are_at_end(const SNDecoders *decoders) {
    for (size_t i = 0; i < decoders->count; i++) {
        // Nothing at all decodes to nothing.
        if (decoders->stages[i].has_begun && !decoders->stages[i].decoder.is_at_end) return false;
    }
    return true;
}

void sn_decoders_explain(const SNDecoders *decoders, char *text, size_t capacity) {
    const SNStage *stage = decoders->broken;
    for (size_t i = 0; !stage && i < decoders->count; i++) {
        bool is_cut = decoders->stages[i].has_begun && !decoders->stages[i].decoder.is_at_end;
        if (is_cut) stage = &decoders->stages[i];
    }
    if (!stage) return;
    const char *reason = !decoders->broken ? "it is cut short" : stage->decoder.reason;
    snprintf(
        text, capacity, "its content is not valid %s: %s", stage->decoder.coding->name,
        reason ? reason : "it can't be decoded");
}

#endif
