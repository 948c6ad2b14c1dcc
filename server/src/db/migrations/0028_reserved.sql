-- Holds the number until its migration lands: delete this file when you add yours.
select 1;
