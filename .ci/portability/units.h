void check_turns(void);
