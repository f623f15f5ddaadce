// Decodes content that has a chain of codings, as much as is asked for at a time.
#ifndef SN_CODINGS_H
#define SN_CODINGS_H

#include "decoders.h"

enum { SN_MOST_CODINGS = 5 };

// What the Content-Encoding fields of a response say (RFC 9110 §8.4), in the order in which the codings were applied.
typedef struct {
    const SNCoding *items[SN_MOST_CODINGS];
    size_t count;
    // Whether there is one that is unknown here: the content is left as it is.
    bool is_unknown;
    // Whether decoding would take more memory or time than any sensible server's content.
    bool is_excessive;
} SNCodingList;

void sn_codings_add(SNCodingList *list, const char *name, size_t count);

typedef struct SNDecoders SNDecoders;

typedef enum {
    SN_STEP_MADE,
    // It needs more input.
    SN_STEP_STARVED,
    // It has decoded much that decodes to nothing.
    SN_STEP_BUSY,
    SN_STEP_BROKEN,
    SN_STEP_NO_MEMORY
} SNStep;

SNDecoders *sn_decoders_open(const SNCodingList *list);
void sn_decoders_close(SNDecoders *decoders);
// Sets the next input, which stays in use until a step is starved.
void sn_decoders_supply(SNDecoders *decoders, const void *bytes, size_t count);
// Appends to the output, which must have room.
SNStep sn_decoders_step(SNDecoders *decoders, SNOutput *output);
// Whether the content may end here.
bool sn_decoders_are_at_end(const SNDecoders *decoders);
// Says why the content can't be decoded.
void sn_decoders_explain(const SNDecoders *decoders, char *text, size_t capacity);

#endif
